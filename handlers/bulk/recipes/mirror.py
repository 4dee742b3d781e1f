#!/usr/bin/env python3
"""Keeps a copy of the gear and the listings of a site in a file of JSON.

    python3 mirror.py https://secondlight.example copy.json [--once]

It downloads the files of the night and then follows the changes since. It may be stopped at
any time, and goes on where it was. With --once it ends when nothing more has changed.
"""
import gzip
import hashlib
import json
import os
import sys
import time
import urllib.error
import urllib.request

SITE, FILE = sys.argv[1].rstrip("/"), sys.argv[2]
PAUSE = 5  # seconds between questions for changes


def get(path):
    """Returns the response to a request, which it repeats while the server is busy."""
    while True:
        try:
            with urllib.request.urlopen(SITE + path, timeout=60) as response:
                return response.read()
        except urllib.error.HTTPError as e:
            if e.code != 429 and e.code < 500:
                raise
            time.sleep(float(e.headers.get("Retry-After") or 1))


def download():
    """Returns a new copy: that of the night."""
    manifest = json.loads(get("/data/manifest.json"))
    copy = {"cursor": manifest["cursor"]}
    for name, key in ("gear", "gear"), ("listings", "id"):
        packed = get(f"/data/{name}.jsonl.gz")
        if hashlib.sha256(packed).hexdigest() != next(f["sha256"] for f in manifest["files"] if f["name"] == f"{name}.jsonl.gz"):
            return download()  # there are new files
        rows = map(json.loads, gzip.decompress(packed).splitlines())
        copy[name] = {row[key]: row for row in rows}
    return copy


def follow(copy):
    """Applies the next changes, and returns whether there are more."""
    page = json.loads(get(f"/api/changes?limit=1000&since={copy['cursor']}"))
    ids = list(dict.fromkeys(c["id"] for c in page["changes"] if "id" in c))
    for at in range(0, len(ids), 100):
        batch = json.loads(get("/api/listings?id=" + ",".join(ids[at:at + 100])))
        for listing in batch["listings"]:
            copy["listings"].pop(listing["id"], None)
            if listing["status"] == "active":
                copy["listings"][listing["id"]] = listing
        for gone in batch["missing"]:
            copy["listings"].pop(gone, None)
    copy["cursor"] = page["next_cursor"]
    return page["has_more"]


def save(copy):
    with open(FILE + ".new", "w") as out:
        json.dump(copy, out)
    os.replace(FILE + ".new", FILE)


copy = json.load(open(FILE)) if os.path.exists(FILE) else download()
while True:
    try:
        more = follow(copy)
    except urllib.error.HTTPError as e:
        if e.code != 410:  # changes_expired: too long away, or the site was restored
            raise
        copy, more = download(), True
    save(copy)
    if not more and "--once" in sys.argv:
        break
    if not more:
        time.sleep(PAUSE)
