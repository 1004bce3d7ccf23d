# Names that vulture reports as unused, and who uses them. `make check` reads this file.
# ruff: noqa: B018, F821

# pydantic reads it by name.
_.model_config

# Fields of responses and of template contexts: clients, scripts and Jinja read them.
_.solvable_if, _.valid, _.is_goal, _.seconds_left_factor, _.threshold_seconds_left
_.threshold_seconds_left_factor, _.default_methods, _.in_goal, _.goal_tiles, _.has_limits
_.is_invalid, _.remark, _.best_ratio, _.mean_ratio, _.ticked, _.icon, _.embed_html, _.keeps_path
_.responses, _.lost_at_least, _.lost_at_most, _.starting_at, _.message_code, _.foreign_messages
_.queue_position, _.most, _.has_steps, _.secret_created_at, _.max_runs, _.state_name
_.optimal_length

# Looked up by name: subcommands.
_.stats, _.audit, _.doctor

# prometheus_client reads it when a metric is created.
_.ValueClass

# mkdocs calls it.
on_page_markdown

# An enumeration value selected by its string value, `--lang pt`.
_.PORTUGUESE

# Called or read by libraries: SQLAlchemy, prometheus_client, Celery, Flask, flask-openapi, reprlib,
# sqlite3, html.parser and the interpreter.
_.impl, _.cache_ok, _.process_bind_param, _.process_result_value, _._set_language, _.collect
_.__delay_validate_request__, _.content_encoding, _.maxother, _.maxstring, _.isolation_level
_.handle_starttag, _.handle_endtag, _.handle_data, _.ensure_connected, _.channel_errors
_.requires, _.ControlThread, _.WorkRequest, _.WorkerProcess
_.unraisablehook, _.model_post_init, _.merge_slashes

# Part of the public Board class.
_.tile_at

# A field that is compared with that of another file.
_.changed_ns

# Pillow uses it.
_.MAX_IMAGE_PIXELS

# Flask reads it from a request.
_.max_form_parts

# enum calls it for an unknown value.
_._missing_

# Werkzeug reads these attributes of a cache policy.
_.no_store, _.public, _.private, _.immutable, _.max_age

# A template reads the first, which belongs to a button; fontTools reads the others.
_.swap, _.flavor, _.glyphName, _.numberOfContours

# The modules of `tilework` call these.
_.check_iterable, _.TRUE_OR_FALSE, _.MissingBoardError

# Programs call these through `tilework.Client`.
_.wait_for_task

# The JSON field `from`, which is a keyword in Python.
_.from_

# SQLAlchemy reads it.
_.is_disconnect

# Numba calls or reads these on a cache locator.
_.from_function, _.ensure_cache_path, _.get_cache_path, _.get_source_stamp, _.get_disambiguator
_._py_file

# Fields of API documents.
_.way
