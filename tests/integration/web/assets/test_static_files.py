import gzip
import re

import brotli
from flask.testing import FlaskClient

from tests.integration.web.conftest import MakeApp
from tilework.web.assets import FOLDER, SITE_SHEETS, static_version

PREFIX = f"/static/{static_version()}"
PAGES = ["/", "/play", "/analyse", "/learn", "/history", "/compare", "/lab", "/statistics"]
PAGES += ["/openapi"]
FLAGS = re.MULTILINE | re.DOTALL
MAX_FILES = 12  # of at most 15 requests on a first visit
UNKNOWN_PATHS = [
    f"{PREFIX}/css/none.css",
    f"{PREFIX}/../assets/static_files.py",
    f"{PREFIX}/css/../../app.py",
    f"{PREFIX}//etc/passwd",
    f"{PREFIX}/css",
    f"{PREFIX}/js/{300 * 'a'}.js",
    "/static/css/base.css",
    "/static/000000000000/css/base.css",
]


def test_pages_have_few_files_that_are_cached_forever(client: FlaskClient) -> None:
    paths = set()
    for page in PAGES:
        text = client.get(page).text
        files = re.findall(r'(?:src|href)="(/[^"]+\.(?:css|js|svg))(?:#[^"]*)?"', text)
        assert f"{PREFIX}/css/site.css" in files, page
        paths |= set(files)
        assert len(set(files)) < MAX_FILES, page
    for path in paths:
        assert path.startswith(f"{PREFIX}/")
        with client.get(path) as response:
            assert response.status_code == 200
            directives = set(response.headers["Cache-Control"].split(", "))
        assert directives == {"public", "immutable", "max-age=31536000"}
    for path in UNKNOWN_PATHS:
        assert client.get(path).status_code == 404
    sheet = client.get(f"{PREFIX}/css/site.css")
    assert sheet.mimetype == "text/css"
    for name in SITE_SHEETS:
        assert (FOLDER / "css" / f"{name}.css").read_text() in sheet.text


def test_scripts_are_bundled_with_their_imports(client: FlaskClient) -> None:
    for path in FOLDER.rglob("*.js"):
        name = path.relative_to(FOLDER).as_posix()
        with client.get(f"{PREFIX}/{name}") as script:
            assert (script.status_code, script.mimetype) == (200, "text/javascript"), name
            code = script.text
        assert not re.search(r"^import\b", code, re.MULTILINE), name
        counts = [len(re.findall(r"^export ", text, FLAGS)) for text in (code, path.read_text())]
        assert counts[0] == counts[1]
        # Each module is included once, and exports what the others import from it.
        exports = dict(re.findall(r"^const (\$module\d+) = .*?^return \{ (.*?) \};$", code, FLAGS))
        for names, module in re.findall(r"^const \{([^}]+)\} = (\$module\d+);$", code, FLAGS):
            imports = {name.split(":")[0].strip() for name in names.strip(", \n").split(",")}
            assert imports <= set(exports[module].split(", ")), (name, module)


def test_files_are_served_compressed(client: FlaskClient, make_app: MakeApp) -> None:
    files = [f"{PREFIX}/{name}" for name in ("css/site.css", "js/home/editor.js", "icons.svg")]
    for path in ("/", "/openapi/openapi.json", *files):
        plain_response = client.get(path)
        assert "Content-Encoding" not in plain_response.headers
        gzip_response = client.get(path, headers={"Accept-Encoding": "gzip, deflate"})
        assert gzip_response.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(gzip_response.data) == plain_response.data
        assert len(gzip_response.data) < 0.5 * len(plain_response.data)
        assert int(gzip_response.headers["Content-Length"]) == len(gzip_response.data)
        for response in (plain_response, gzip_response):
            assert "Accept-Encoding" in response.headers["Vary"]
        for accepted in ("identity", "gzip;q=0, br;q=0", "br;q=0", "snappy", ""):
            response = client.get(path, headers={"Accept-Encoding": accepted})
            assert "Content-Encoding" not in response.headers
    for path in files:
        response = client.get(path, headers={"Accept-Encoding": "br, gzip"})
        assert response.headers["Content-Encoding"] == "br"
        assert brotli.decompress(response.data) == client.get(path).data
    font = client.get(f"{PREFIX}/fonts/fraunces.woff2", headers={"Accept-Encoding": "br"})
    assert (font.mimetype, font.data[:4]) == ("font/woff2", b"wOF2")
    app = make_app()
    app.add_url_rule("/stream", view_func=lambda: (str(n) * 500 for n in range(9)))
    stream = app.test_client().get("/stream", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in stream.headers, "a stream is sent as it is written"
