"""Client of the Secondlight API: https://secondlight.example/developers.

It has one method for all operations, which returns the JSON of the answer. Pages follow each
other, requests wait when the server says so, and errors are exceptions with a code and a hint.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["ApiError", "Client", "WebhookError", "verify_webhook"]

ATTEMPTS = 4
MAX_WAIT = 60.0
TOLERANCE = 300


class ApiError(Exception):
    """An error of the API: a status of HTTP, a stable code, a message and a hint."""

    def __init__(self, status: int, problem: Mapping[str, Any]):
        self.status = status
        self.code: str = problem.get("code", "unknown")
        self.message: str = problem.get("message", "")
        self.hint: str = problem.get("hint", "")
        self.request_id: str = problem.get("request_id", "")
        self.errors: list[dict[str, Any]] = problem.get("errors", [])
        super().__init__(f"{self.code}: {self.message} {self.hint}".strip())


class WebhookError(Exception):
    """A webhook whose signature is wrong or too old."""


class Client:
    """Calls the API of a site, as a member if there is a token."""

    def __init__(self, site: str, token: str = "", *, timeout: float = 30, sleep=time.sleep):
        self.site, self.token, self.timeout, self._sleep = site.rstrip("/"), token, timeout, sleep

    def get(self, path: str, **parameters: Any) -> Any:
        """Returns the answer of a GET request. A list is repeated."""
        return self._send("GET", path, parameters, None)

    def send(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, if_match: str = "") -> Any:
        """Sends a write. A retry has the same idempotency key, so that it is done once."""
        return self._send(method, path, {}, body or {}, if_match)

    def pages(self, path: str, **parameters: Any) -> Iterator[Any]:
        """Yields the pages of a list, by its next_cursor."""
        while True:
            page = self.get(path, **parameters)
            yield page
            if not page.get("next_cursor"):
                return
            parameters["cursor"] = page["next_cursor"]

    def listings(self, **parameters: Any) -> Iterator[dict[str, Any]]:
        """Yields all listings of a search."""
        for page in self.pages("/api/listings/search", **parameters):
            yield from page["listings"]

    def _send(self, method: str, path: str, parameters: Mapping[str, Any], body: Any, if_match: str = "") -> Any:
        url = self.site + path
        if parameters:
            url += "?" + urllib.parse.urlencode({k: v for k, v in parameters.items() if v is not None}, doseq=True)
        headers = {"Accept": "application/json", "User-Agent": "secondlight-python"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        if if_match:
            headers["If-Match"] = if_match
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers |= {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        for attempt in range(1, ATTEMPTS + 1):
            try:
                request = urllib.request.Request(url, data, headers, method=method)
                with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                    return json.loads(answer.read() or b"null")
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503) or attempt == ATTEMPTS:
                    raise _api_error(error) from None
                self._sleep(_wait(error.headers.get("Retry-After"), attempt))
        raise AssertionError("unreachable")


def _api_error(error: urllib.error.HTTPError) -> ApiError:
    try:
        problem = json.loads(error.read())
    except ValueError:
        problem = {}
    return ApiError(error.code, problem if isinstance(problem, dict) else {})


def _wait(retry_after: str | None, attempt: int) -> float:
    try:
        return min(max(float(retry_after or ""), 0.0), MAX_WAIT)
    except ValueError:
        return float(2**attempt)


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes, *, now: float | None = None) -> Any:
    """Returns the JSON of a webhook whose signature (Standard Webhooks) is valid and not older than five minutes."""
    fields = {name.lower(): value for name, value in headers.items()}
    webhook_id, timestamp = fields.get("webhook-id", ""), fields.get("webhook-timestamp", "")
    if not webhook_id or not timestamp.isascii() or not timestamp.isdigit():
        raise WebhookError("no webhook-id or webhook-timestamp")
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE:
        raise WebhookError("the timestamp is too old or too new")
    text = secret.removeprefix("whsec_").replace("-", "+").replace("_", "/")
    key = base64.b64decode(text + "=" * (-len(text) % 4))
    want = "v1," + base64.b64encode(hmac.new(key, f"{webhook_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()).decode()
    if not any(hmac.compare_digest(want.encode(), given.encode()) for given in fields.get("webhook-signature", "").split()):
        raise WebhookError("no signature matches")
    return json.loads(body)
