"""Threads that share blocks: every block once, and nothing goes on after a stop."""

import threading
from collections import Counter, deque

import pytest
from drawn import several

from csig.engines.pool import Pool, interruptible


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_every_block_is_taken_once(threads):
    pool = Pool(range(3, 100, 2), threads, total=49 * 10, done=5)
    taken, seen = [], []

    def work():
        for number in pool.blocks():
            taken.append(number)
            pool.tick(10)

    pool.run(work, lambda done, total: seen.append((done, total)))
    assert Counter(taken) == Counter(range(3, 100, 2))
    assert seen[-1] == (495, 490)


@pytest.mark.parametrize(("blocks", "threads"), [(0, 1), (1, 1), (3, 3), (50, 8), (10**30, 8)])
def test_no_more_threads_than_blocks(blocks, threads):
    assert Pool(range(blocks), 8, total=0).threads == threads


def test_work_is_called_once_in_every_thread():
    pool = Pool(range(10), 3, total=0)
    together = threading.Barrier(3, timeout=60)
    pool.run(together.wait)  # one that came back early would wait in vain
    assert together.n_waiting == 0


def test_an_error_in_one_thread_stops_the_others():
    pool = Pool(range(10**9), 3, total=0)

    def work():
        for number in pool.blocks():
            if number == 1000:
                raise KeyError("a block")

    with pytest.raises(KeyError, match="a block"):
        pool.run(work)
    assert pool.stop[0]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_an_error_of_the_caller_stops_all_threads(error):
    """Ctrl-C is one: the caller's thread hears it while it waits."""
    pool = Pool(range(10**9), 2, total=0)
    running = Counter()

    def work():
        running["started"] += 1
        for _ in pool.blocks():
            pass
        running["ended"] += 1

    def progress(done, total):
        raise error

    with pytest.raises(error):
        pool.run(work, progress)
    assert running["ended"] == running["started"] > 0


def test_ctrl_c_within_a_lock_of_pythons_own():
    """As ``threading.Condition.wait`` does, which is written in Python."""
    lock = threading.Lock()

    @interruptible()
    def interrupted():
        try:
            raise KeyboardInterrupt
        finally:
            lock.release()

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with pytest.raises(RuntimeError, match="unlocked"), interruptible():
        lock.release()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_at_any_moment(threads, interrupted):
    """After ever more work of this process, so in every phase of a run."""
    for moment in range(1, 31, several(7, 1)):
        pool = Pool(range(10**9), threads, total=0)
        interrupted(moment / 1000, pool.run, lambda pool=pool: deque(pool.blocks(), maxlen=0))
        assert pool.stop[0]
