# SPDX-License-Identifier: Apache-2.0
"""A client of `jaxpr lsp` for tests: sends one request at a time, and stores the notifications that arrive meanwhile. It
keeps the texts that it opened, so that edits can be given as offsets in them."""

import json
import os
import re
import selectors
import subprocess
import time

WAIT = float(os.environ.get("JAXPR_LSP_WAIT", "60"))  # seconds until a missing response is an error


class Failed(Exception):
    """The server responded with an error."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code, self.message = error["code"], error["message"]


class Client:
    def __init__(self, jaxpr, cwd=None, env=None):
        self.process = subprocess.Popen([jaxpr, "lsp", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd,
                                        env=env)
        self.buffer, self.number, self.inbox = bytearray(), 0, []
        self.texts, self.versions, self.encoding = {}, {}, "utf-16"
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    # ---- messages ----

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    @staticmethod
    def frame(message):
        body = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return b"Content-Length: %d\r\n\r\n" % len(body) + body

    def send(self, method, params=None, number=None):
        message = {"jsonrpc": "2.0", "method": method}
        if number is not None:
            message["id"] = number
        if params is not None:
            message["params"] = params
        self.write(self.frame(message))

    def receive(self, wait=WAIT):
        """The next message; None at the end of the output."""
        end = time.monotonic() + wait
        while True:
            begin = self.buffer.find(b"\r\n\r\n", 0, 200) + 4
            if begin >= 4:
                stop = begin + int(self.buffer[:begin].split(b":")[1])
                if len(self.buffer) >= stop:
                    body = bytes(self.buffer[begin:stop])
                    del self.buffer[:stop]
                    return json.loads(body)
            if not self.selector.select(max(0, end - time.monotonic())):
                raise TimeoutError(f"no message within {wait} s")
            piece = os.read(self.process.stdout.fileno(), 1 << 20)
            if not piece:
                return None
            self.buffer += piece

    def begin(self, method, params=None):
        """Sends a request; returns its number."""
        self.number += 1
        self.send(method, params, self.number)
        return self.number

    def answer(self, number):
        """The result of a request that was sent; raises Failed for an error, EOFError if the server ended."""
        while True:
            message = self.receive()
            if message is None:
                raise EOFError("the server ended")
            if "method" in message and "id" in message:  # a request of the server
                self.inbox.append(message)
                self.write(self.frame({"jsonrpc": "2.0", "id": message["id"], "result": {"applied": True}}))
            elif message.get("id") != number or "method" in message:
                self.inbox.append(message)
            elif "error" in message:
                raise Failed(message["error"])
            else:
                return message["result"]

    def request(self, method, params=None):
        return self.answer(self.begin(method, params))

    def take(self, method):
        """The next notification of a method."""
        for i, message in enumerate(self.inbox):
            if message.get("method") == method:
                return self.inbox.pop(i)["params"]
        while True:
            message = self.receive()
            if message is None:
                raise EOFError("the server ended")
            if message.get("method") == method:
                return message["params"]
            self.inbox.append(message)

    # ---- lifecycle and documents ----

    def initialize(self, encodings=None, options=None, **capabilities):
        shows = {"relatedInformation": True, "codeDescriptionSupport": True, "tagSupport": {"valueSet": [1, 2]}}
        all_capabilities = {"textDocument": {"publishDiagnostics": shows}, **capabilities}
        if encodings:
            all_capabilities["general"] = {"positionEncodings": encodings}
        params = {"processId": os.getpid(), "rootUri": None, "capabilities": all_capabilities}
        if options is not None:
            params["initializationOptions"] = options
        result = self.request("initialize", params)
        self.encoding = result["capabilities"]["positionEncoding"]
        self.send("initialized", {})
        return result

    def stop(self):
        """Ends the server as the protocol specifies; returns its exit status."""
        self.request("shutdown")
        self.send("exit")
        return self.process.wait(WAIT)

    def open(self, uri, text, language="jaxpr"):
        self.texts[uri], self.versions[uri] = text, 1
        self.send("textDocument/didOpen",
                  {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}})

    def units(self, text):
        """The length of a text in units of the session's position encoding."""
        return len(text.encode()) if self.encoding == "utf-8" else len(text.encode("utf-16-le", "surrogatepass")) // 2

    def position(self, uri, offset):
        """The position of the character at an offset of a text, which may not be between \\r and \\n."""
        before = re.split("\r\n|\n|\r", self.texts[uri][:offset])
        return {"line": len(before) - 1, "character": self.units(before[-1])}

    def offset(self, uri, position):
        """The offset of the character at a position of a text."""
        text = self.texts[uri]
        starts = [0] + [end.end() for end in re.finditer("\r\n|\n|\r", text)]
        at, units = starts[position["line"]], 0
        while units < position["character"]:
            units += self.units(text[at])
            at += 1
        return at

    def slice(self, uri, where):
        """The text in a range of the protocol."""
        return self.texts[uri][self.offset(uri, where["start"]):self.offset(uri, where["end"])]

    def edit(self, uri, *edits):
        """Replaces (from, to, text) one after another, in one notification."""
        changes = []
        for start, end, new in edits:
            changes.append({"range": {"start": self.position(uri, start), "end": self.position(uri, end)}, "text": new})
            self.texts[uri] = self.texts[uri][:start] + new + self.texts[uri][end:]
        self.change(uri, changes)

    def change(self, uri, changes):
        self.versions[uri] += 1
        self.send("textDocument/didChange",
                  {"textDocument": {"uri": uri, "version": self.versions[uri]}, "contentChanges": changes})

    def diagnostics(self, uri):
        """The diagnostics of the current version of a text."""
        while True:
            params = self.take("textDocument/publishDiagnostics")
            if params["uri"] == uri and params.get("version") == self.versions[uri]:
                return params["diagnostics"]
