# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The little of the Language Server Protocol that a test needs: framed JSON over a child's pipes.
import json
import pathlib
import queue
import subprocess
import threading


class LanguageClient:
    """One server process. Every wait ends after TIMEOUT seconds with an error that shows the server's log."""

    TIMEOUT = 120

    def __init__(self, command, folder, log):
        self._log_path = log
        self._log = open(log, "w")
        self._server = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self._log)
        self._messages = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self._last_id = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.kill()
        self._server.wait()
        self._reader.join()
        for stream in (self._server.stdin, self._server.stdout, self._log):
            stream.close()

    def request(self, method, params):
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})
        answer = self.wait_for(lambda message: message.get("id") == self._last_id and "method" not in message)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        return answer["result"]

    def notify(self, method, params):
        self._send({"method": method, "params": params})

    def wait_for(self, wanted):
        """The first message from now on for which wanted(message) is true; the others are dropped."""
        while True:
            try:
                message = self._messages.get(timeout=self.TIMEOUT)
            except queue.Empty:
                message = None
            if message is None:
                log = pathlib.Path(self._log_path).read_text()
                raise AssertionError(f"no answer from the server (exit code {self._server.poll()}):\n{log}")
            if wanted(message):
                return message

    def stop(self):
        """Ends the server as the protocol asks; its exit code."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self._server.wait(timeout=self.TIMEOUT)

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._server.stdin.flush()

    def _read(self):
        stream = self._server.stdout
        while True:
            length = None
            while (line := stream.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length is None:
                self._messages.put(None)
                return
            self._messages.put(json.loads(stream.read(length)))
