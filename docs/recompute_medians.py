#!/usr/bin/env python3
"""Recomputes the medians in trends.csv.gz from the prices in sales.csv.gz, to the cent.

    python3 recompute_medians.py https://secondlight.example [brand/model]
"""
import csv
import gzip
import sys
import urllib.request
from collections import defaultdict


def rows(site, name):
    with urllib.request.urlopen(f"{site}/data/{name}") as response:
        return list(csv.DictReader(gzip.decompress(response.read()).decode().splitlines()))


def cents(text):
    whole, _, rest = text.partition(".")
    return int(whole) * 100 + int((rest + "00")[:2])


def median(values):
    values, n = sorted(values), len(values)
    return (values[(n - 1) // 2] + values[n // 2] + 1) // 2 if n else 0  # half a cent is rounded up


site, wanted = sys.argv[1].rstrip("/"), sys.argv[2:]
prices, compared, differ = defaultdict(list), 0, 0
for row in rows(site, "sales.csv.gz"):
    prices[row["gear"], row["condition"]].append(cents(row["price"]))
for row in rows(site, "trends.csv.gz"):
    if row["median"] and (not wanted or row["gear"] in wanted):
        counted = prices[row["gear"], row["condition"]]
        wrong = median(counted) != cents(row["median"])
        compared, differ = compared + 1, differ + wrong
        if wanted or wrong:
            print(row["gear"], row["condition"] or "all", f"{median(counted) / 100:.2f} of {len(counted)} sales, published {row['median']}")
sys.exit(print(f"{compared} medians compared, {differ} differ") or (differ > 0 or not compared))
