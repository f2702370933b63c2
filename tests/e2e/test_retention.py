"""Retention takes records, and partitions come without their first ones."""

import pytest

both = pytest.mark.parametrize("fail_on_data_loss", [True, False], ids=["fail", "go_on"])


@both
def test_expired(lab, topics, fail_on_data_loss):
    query = lab.consumed(f"expired_{fail_on_data_loss}", [500, 100],
                         fail_on_data_loss=fail_on_data_loss)
    topics.produce(query.topic, [500, 50])
    topics.trim(query.topic, 0, 700)

    finding = lab.found(query, "records_expired", records=200)
    assert finding["partitions"] == [
        {"partition": 0, "checkpoint": 500, "log_start": 700, "log_end": 1000, "records": 200}]
    assert lab.kinds(query) == ["records_expired"]
    if lab.judge(query):
        # The failed batch left a newest offsets file that looks healthy.
        lab.found(query, "records_expired", records=200)
        query.fail_on_data_loss = False
        assert lab.judge(query) is None
    lab.daemon.wait_gone("records_expired", query.name)


def test_all_expired(lab, topics):
    query = lab.consumed("expired_all", [100], fail_on_data_loss=False)
    topics.produce(query.topic, [60])
    topics.trim(query.topic, 0, 160)
    lab.found(query, "records_expired", records=60)
    assert lab.judge(query) is None


def test_trimmed_up_to_the_position_is_no_loss(lab, topics):
    query = lab.consumed("expired_not", [500])
    topics.produce(query.topic, [40])
    topics.trim(query.topic, 0, 500)
    lab.nothing_found(query)
    assert lab.judge(query) is None


def test_added_partitions(lab, topics):
    query = lab.consumed("added", [100, 70])
    topics.add_partitions(query.topic, 4)
    topics.produce(query.topic, [0, 0, 30])
    lab.nothing_found(query)
    assert lab.judge(query) is None
    lab.catch_up(query)
    lab.nothing_found(query)


@both
def test_added_partition_that_lost_its_start(lab, topics, fail_on_data_loss):
    query = lab.consumed(f"added_trimmed_{fail_on_data_loss}", [100],
                         fail_on_data_loss=fail_on_data_loss)
    topics.add_partitions(query.topic, 3)
    topics.produce(query.topic, [0, 50, 10])
    topics.trim(query.topic, 1, 20)

    finding = lab.found(query, "new_partition_not_from_start", records=20)
    assert [p["partition"] for p in finding["partitions"]] == [1]
    if lab.judge(query):
        query.fail_on_data_loss = False
        lab.found(query, "new_partition_not_from_start", records=20)
        assert lab.judge(query) is None
    lab.daemon.wait_gone("new_partition_not_from_start", query.name)
