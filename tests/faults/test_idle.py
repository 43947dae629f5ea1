"""A service in which no player moves writes nearly nothing to its disk."""

import pytest

from service.bench.idle import MOST_MEGABYTES, idle_service, measured, wait_for_moves


@pytest.mark.parametrize(
    "tables",
    [pytest.param(0, id="no tables", marks=pytest.mark.long), pytest.param(20, id="tables that wait for a move")],
)
def test_an_idle_service_writes_less_than_five_megabytes_a_day(tables: int):
    with idle_service(schedulers=1) as (store, server):
        wait_for_moves(store, tables)
        assert 0 < measured(store, server, seconds=20).megabytes_a_day <= MOST_MEGABYTES


@pytest.mark.long
@pytest.mark.timeout(4200)
def test_an_hour_without_a_move_costs_as_little():
    with idle_service(schedulers=2) as (store, server):
        wait_for_moves(store, 100)
        cost = measured(store, server, seconds=3600)
    print(
        f"{cost.written:,} bytes in an hour: {cost.megabytes_a_day:.2f} MB a day; {cost.processor} s of the processor"
    )
    assert cost.megabytes_a_day <= MOST_MEGABYTES
