"""A headless Chromium spoken to over its own pipe (DevTools protocol), with the standard library alone."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

CANDIDATES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--no-first-run", "--disable-dev-shm-usage", "--enable-unsafe-swiftshader", "--disable-extensions", "--hide-scrollbars", "--remote-debugging-pipe",
         "about:blank"]


def find_browser():
    return next((path for path in map(shutil.which, CANDIDATES) if path), None)


class BrowserError(Exception):
    pass


class Browser:
    """One page; use as a context manager. `errors` collects what its console complains about."""

    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="carom-browser-")
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        # The browser reads from descriptor 3 and writes to 4.
        os.set_inheritable(to_browser, True)
        os.set_inheritable(from_browser, True)
        shell = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(["bash", "-c", shell, path, f"--user-data-dir={self.profile}", *FLAGS],
                                        pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._buffer = b""
        self._number = 0
        self._session = None
        self.errors = []
        self.requests = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._session = None
            self.call("Browser.close")
        except (BrowserError, OSError):
            self.process.kill()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        os.close(self._in)
        os.close(self._out)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _receive(self, timeout):
        deadline = time.monotonic() + timeout
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise BrowserError("the browser does not answer")
            part = os.read(self._in, 1 << 20)
            if not part:
                raise BrowserError("the browser has ended")
            self._buffer += part
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def _note(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details.get("text")))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        # What a graphics driver in software says about its speed is no complaint about the page.
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning") and "GL Driver Message" not in params["entry"]["text"]:
            self.errors.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"][:200])

    def call(self, method, timeout=120, **params):
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive(timeout)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self._note(answer)

    def evaluate(self, expression):
        """The value of a JavaScript expression, awaited if it is a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise BrowserError(answer["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return answer["result"].get("value")

    def open(self, path):
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        deadline = time.monotonic() + 60
        # The page is there when its last part, the footer, is.
        while not self.evaluate("document.readyState === 'complete' && !!document.querySelector('footer')"):
            if time.monotonic() > deadline or self.errors:
                raise BrowserError(f"{path}: does not finish loading: {self.errors}")
            time.sleep(0.05)
        self.settle()

    def settle(self):
        """Two frames, so that what reacts to size has been drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))))")

    def size(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 600)
        self.settle()

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])
        self.settle()

    def click(self, selector):
        x, y = self.evaluate(f"""(() => {{
          const node = document.querySelector({json.dumps(selector)});
          node.scrollIntoView({{block: "center"}});
          const r = node.getBoundingClientRect();
          return [r.left + r.width / 2, r.top + r.height / 2];
        }})()""")
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def screenshot(self, path, whole=True):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
