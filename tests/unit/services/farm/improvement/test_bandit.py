from __future__ import annotations

from collections import Counter

from tilework.core.services.farm.improvement.bandit import choose
from tilework.core.services.farm.improvement.state import Pay


def chosen(pays, times=2_000):
    return Counter(choose(pays, 3, number) for number in range(times))


def test_untried_kinds_get_equal_chances():
    counts = chosen({"a": Pay(), "b": Pay(), "c": Pay()})
    assert min(counts.values()) > 500


def test_a_kind_that_pays_is_chosen_most():
    pays = {"pays": Pay().after(10.0, 30), "does not": Pay().after(10.0, 0)}
    assert chosen(pays)["pays"] > 1_900


def test_a_kind_that_never_paid_is_still_tried_now_and_then():
    pays = {"pays": Pay().after(10.0, 2), "does not": Pay().after(10.0, 0)}
    assert 20 < chosen(pays)["does not"] < 800


def test_what_paid_long_ago_counts_less():
    faded = Pay().after(1.0, 40)
    for _ in range(60):
        faded = faded.after(1.0, 0)
    assert faded.gained == 40
    assert chosen({"faded": faded, "fresh": Pay().after(1.0, 2)})["fresh"] > 1_500
