import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

from secondlight import ApiError, Client, WebhookError, verify_webhook

SECRET, ID, AT = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330
BODY, SIGNATURE = b'{"test": 2432232314}', "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


class Site(BaseHTTPRequestHandler):
    refused, keys = 0, []

    def answer(self, status, body, **headers):
        text = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        query = parse_qs(urlsplit(self.path).query)
        if "missing" in self.path:
            self.answer(404, {"code": "listing_not_found", "message": "No.", "hint": "Search."})
        elif "cursor" not in query:
            self.answer(200, {"listings": [{"id": "a"}, {"id": "b"}], "next_cursor": "n"})
        else:
            self.answer(200, {"listings": [{"id": "c"}]})

    def do_POST(self):
        Site.keys.append(self.headers["Idempotency-Key"])
        self.rfile.read(int(self.headers["Content-Length"]))
        Site.refused += 1
        if Site.refused < 3:
            self.answer(429, {"code": "rate_limited"}, Retry_After="7")
        else:
            self.answer(201, {"id": "x"})

    def log_message(self, *_):
        pass


class TestClient(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = HTTPServer(("127.0.0.1", 0), Site)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.waits = []
        cls.client = Client(f"http://127.0.0.1:{cls.server.server_port}", "sl_x", sleep=cls.waits.append)

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()

    def test_pages(self):
        self.assertEqual([listing["id"] for listing in self.client.listings(keyword="leica")], ["a", "b", "c"])

    def test_retries(self):
        self.assertEqual(self.client.send("POST", "/api/listings", {"gear": "x"}), {"id": "x"})
        self.assertEqual(self.waits, [7.0, 7.0])
        self.assertEqual(len(set(Site.keys)), 1)

    def test_errors(self):
        with self.assertRaises(ApiError) as caught:
            self.client.get("/api/missing")
        self.assertEqual((caught.exception.status, caught.exception.code, caught.exception.hint), (404, "listing_not_found", "Search."))

    def test_webhooks(self):
        headers = {"Webhook-Id": ID, "Webhook-Timestamp": str(AT), "Webhook-Signature": "v1,bad " + SIGNATURE}
        self.assertEqual(verify_webhook(SECRET, headers, BODY, now=AT), {"test": 2432232314})
        for body, now in ((BODY + b" ", AT), (BODY, AT + 301), (BODY, AT - 301)):
            with self.assertRaises(WebhookError):
                verify_webhook(SECRET, headers, body, now=now)


if __name__ == "__main__":
    unittest.main()
