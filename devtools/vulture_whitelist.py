# What vulture takes for dead and is not: each name with who uses it. `make check` reads this file.
# ruff: noqa: B018, F821

# Pydantic reads it by its name.
_.model_config

# Fields of answers and of templates: programs, scripts and Jinja read them.
_.blank_distance
_.valid
_.is_goal
_.seconds_left
_.seconds_left_factor
_.threshold_seconds_left
_.threshold_seconds_left_factor
_.default_methods
_.max_runs
_.of_goal
_.remark
_.ticked
_.promises
_.keeps_a_path

# Names in strings: the table of subcommands, and what granian is told to serve.
_.stats
_.web
_.up
_.serve

# A value of an enumeration that is chosen by its text, `--lang pt`.
_.PORTUGUESE

# Called or read by libraries: Prometheus, Celery, Flask, flask-openapi, reprlib, sqlite3.
_.collect
_.install_platform_tweaks
_.should_stop
_.content_length
_.__delay_validate_request__
_.maxother
_.maxstring
_.isolation_level

# A board answers what people who import it ask of a board.
_.tile_at
