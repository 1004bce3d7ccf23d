# What vulture takes for dead and is not: each name with who uses it. `make check` reads this file.
# ruff: noqa: B018, F821

# Pydantic reads it by its name.
_.model_config

# Fields of answers and of templates: programs, scripts and Jinja read them.
_.blank_distance, _.solvable_if, _.valid, _.is_goal, _.trying, _.seconds_left
_.seconds_left_factor, _.threshold_seconds_left, _.threshold_seconds_left_factor
_.default_methods, _.max_runs, _.of_goal, _.remark, _.best_ratio, _.mean_ratio, _.ticked, _.icon
_.most_animated, _.promises, _.keeps_a_path, _.lost_at_least, _.lost_at_most, _.detail
_.message_code, _.foreign_messages, _.queue_position, _.gap_asked

# Names in strings: the table of subcommands, the doctor's probes.
_.stats, _.web, _.audit, _.up, _.doctor, _.broker, _.disk, _.rights

# prometheus_client reads it whenever a metric is made.
_.ValueClass

# mkdocs calls it.
on_page_markdown

# A value of an enumeration that is chosen by its text, `--lang pt`.
_.PORTUGUESE

# Called or read by libraries: SQLAlchemy, Prometheus, Celery, Flask, flask-openapi, reprlib,
# sqlite3, the interpreter.
_.impl, _.cache_ok, _.process_bind_param, _.process_result_value, _._name_language, _.collect
_.install_platform_tweaks, _.should_stop, _.content_length, _.__delay_validate_request__
_.maxother, _.maxstring, _.isolation_level, _.body_encoding, _.content_type, _.content_encoding
_.properties

# kombu asks its transport and channels for these.
TRANSPORT_ALIASES, _.ack_emulation, _.do_restore, _.priority_steps, _.from_transport_options
_._brpop_read, _._in_poll, _._lookup, _._queue_bind, _._size, _.Channel, _.TicketTransport
_.unraisablehook, _.model_post_init, _.merge_slashes, _.log_exception

# A board answers what people who import it ask of a board.
_.tile_at

# Types that are named in strings, and parameters that a protocol names.
_.Columns, _.Value, msgid1, msgid2

# Compared with those of another file.
_.inode, _.changed_ns

# What pictures are made and unpacked with, and a field of an answer.
_.MAX_IMAGE_PIXELS, _.CLASSES, _.picture

# What Flask reads of a request.
_.max_form_parts

# What an enumeration asks for a name that it does not have.
_._missing_

# What Jinja reads of an operation of the API, and Werkzeug of a cache's rules.
_.meaning, _.media_type, _.media_types, _.no_store, _.public, _.private, _.immutable, _.max_age

# What a template reads of a button, and fontTools of what is made.
_.swap, _.flavor, _.glyphName, _.numberOfContours, _.components

# Programs call them, by `tilework.Client`.
_.submit_game, _.submit_ways, _.ways_solutions, _.ways_graph, _.ways_dot

# A name of JSON that Python has taken.
_.from_

# SQLAlchemy asks for it.
_.is_disconnect

# Numba asks a locator of its cache for these.
_.from_function, _.ensure_cache_path, _.get_cache_path, _.get_source_stamp, _.get_disambiguator
_._py_file

# Fields of the API's documents.
_.tries, _.paid, _.way

# The parser of HTML calls these.
_.handle_starttag, _.handle_endtag, _.handle_data
