#!/usr/bin/env python3
"""Recomputes the price estimates of gear from the published figures, to the cent.

    python3 recompute_estimates.py https://secondlight.example canon/eos-r6 [brand/model ...]
"""
import csv
import math
import sys
import urllib.request
from decimal import Decimal

TERMS = ("sale", "similar", "start")
ENDS = {"low": "to_low", "half_low": "to_half_low", "median": None, "half_high": "to_half_high", "high": "to_high"}
site, compared, differ = sys.argv[1].rstrip("/"), 0, 0
for gear in sys.argv[2:]:
    with urllib.request.urlopen(f"{site}/prices/{gear}.csv") as response:
        rows = list(csv.DictReader(response.read().decode().splitlines()))
    figures = {row["row"]: row for row in rows if row["row"] not in TERMS}
    for condition in list(rows[0])[5:]:
        minor = 10 ** -Decimal(figures["median"][condition]).as_tuple().exponent  # units of the currency: 100 cents, 1 yen
        log = float(figures["constant"][condition]) + sum(
            float(row[condition]) * (math.log(minor * float(row["price"])) + float(row["adjustment"]))
            for row in rows if row["row"] in TERMS)
        for end, factor in ENDS.items():
            amount = math.floor(math.exp(log + (float(figures[factor][condition]) if factor else 0)) + 0.5)
            published = Decimal(figures[end][condition]) * minor
            compared, differ = compared + 1, differ + (amount != published)
            if amount != published:
                print(gear, condition, end, amount / minor, "published", figures[end][condition])
sys.exit(print(f"{compared} figures compared, {differ} differ") or (differ > 0 or not compared))
