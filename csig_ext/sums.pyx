"""The shuffle engine over units: random shuffles, summed column by column."""

import numpy as np
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

from csig_ext.generators cimport aligned, begin, csig_groups, csig_jumps, held, jumps

cdef extern from "sums.h" nogil:
    enum:
        CSIG_SUMS_PIECE
        CSIG_SUMS_STEP

    ctypedef struct csig_sums:
        int64_t n_units, n_columns, rows, longest, n_lists
        const uint16_t *classes
        const int64_t *class_starts
        const uint16_t *members
        const int64_t *member_starts
        const int32_t *width
        const int32_t *levels
        const int64_t *shift
        const uint64_t *first
        const uint16_t *entries
        const int64_t *starts

    int64_t csig_sums_workspace(const csig_sums *u, int jumps)
    void csig_sums_start(csig_groups *walk, int isa, const csig_sums *u)
    int csig_sums_next(
        csig_groups *walk, const csig_sums *u, int64_t n_trials, uint64_t *workspace, int64_t *sums,
        int64_t stride, volatile const int *stop
    )

STEP = CSIG_SUMS_STEP

#: A class is counted where this many additions are saved, for what goes on beside them.
_SAVED = 2


def _digits(steps):
    """The non-adjacent form: the bits in which a step is added, and those in which its complement
    is.
    """
    sizes = np.abs(steps).view(np.uint64)
    half = sizes >> np.uint64(1)
    more = sizes + half
    either = half ^ more
    return np.where(steps < 0, [half & either, more & either], [more & either, half & either])


def _starts(lengths):
    """Where each of some lists begins that lie one after the other; then where the last ends."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def _filled(rows, lengths, multiple, n_rows):
    """Lists of rows, one after the other, filled up to a multiple with rows of zeros and with
    rows of ones in turn; and how long each is then.
    """
    padded = -(-lengths // multiple) * multiple
    neutral = np.array([n_rows, n_rows + 1], dtype=np.uint16)
    filled = np.repeat(np.tile(neutral, len(lengths) // 2), padded)
    places = np.repeat(_starts(padded)[:-1] - _starts(lengths)[:-1], lengths)
    filled[places + np.arange(len(rows))] = rows
    return filled, padded


class _Classes:
    """Units of a piece with equal or opposite steps, where counting them saves additions.

    `of_units` has the class of each unit, or -1; those `turned` count when they are not swapped.
    Of each class, the largest first: the `steps` of one counted unit, and the `planes` of the
    count. `cost` are the additions, of units that are in no class as well.
    """

    def __init__(self, table):
        n = len(table)
        self.turned = table[np.arange(n), np.argmax(table != 0, axis=1)] < 0
        steps = np.where(self.turned[:, None], -table, table)
        # Two classes with one key are no mistake: neighbours are compared.
        factors = np.uint64(0x9E3779B97F4A7C15) ** np.arange(table.shape[1], dtype=np.uint64)
        order = np.argsort((steps.view(np.uint64) * factors).sum(axis=1, dtype=np.uint64))
        ordered = steps[order]
        new = np.ones(n, dtype=np.bool_)
        new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        begins = np.flatnonzero(new)
        sizes = np.diff(begins, append=n)
        weights = np.bitwise_count(np.bitwise_or(*_digits(ordered[begins])))
        alone = sizes * weights.sum(axis=1, dtype=np.int64)
        planes = np.frexp(sizes)[1]  # bits of a size
        counted = sizes + planes * weights.sum(axis=1, dtype=np.int64)
        pays = np.flatnonzero(alone > counted + _SAVED)
        self.cost = int(alone.sum() + (counted - alone)[pays].sum())
        pays = pays[np.argsort(-sizes[pays])]
        self.steps, self.planes = ordered[begins[pays]], planes[pays]
        numbers = np.full(len(begins), -1)
        numbers[pays] = np.arange(len(pays))
        self.of_units = np.empty(n, dtype=np.int64)
        self.of_units[order] = np.repeat(numbers, sizes)


class _Piece:
    """What is added in one piece.

    `classes` are how many units of each are counted when swapped, how many when not, and its
    planes, and `members` their rows. `entries` are the rows that are added, and `lengths` how long
    these lists are, by column: for each bit those added, and those whose complements are.
    `constants` are what complements leave behind in each column, `planes` those of all classes.
    """

    def __init__(self, table, alone, width, n_rows):
        n_columns = table.shape[1]
        groups, counted = [[*range(n_columns)]], [_Classes(table)]
        if alone:
            others = [c for c in range(n_columns) if c not in alone]
            apart = [*([others] if others else []), *([c] for c in alone)]
            found = [_Classes(table[:, columns]) for columns in apart]
            if sum(classes.cost for classes in found) < counted[0].cost:
                groups, counted = apart, found
        self.planes, self.classes, self.members = 0, [], []
        self.entries, self.lengths, self.constants = ([None] * n_columns for _ in range(3))
        for columns, classes in zip(groups, counted, strict=True):
            self._add(table, columns, classes, width, n_rows)

    def _add(self, table, columns, classes, width, n_rows):
        units = np.flatnonzero(classes.of_units >= 0)
        lists = 2 * classes.of_units[units] + classes.turned[units]
        order = np.argsort(lists, kind="stable")
        lengths = np.bincount(lists, minlength=2 * len(classes.planes))
        members, lengths = _filled(units[order], lengths, 4, n_rows)
        self.members.append(members)
        self.classes.append(np.column_stack([lengths.reshape(-1, 2), classes.planes]))
        # Addends are units that are in no class, and planes of counts.
        free = np.flatnonzero(classes.of_units < 0)
        of_planes = np.repeat(np.arange(len(classes.planes)), classes.planes)
        bits = np.arange(len(of_planes)) - _starts(classes.planes)[of_planes]
        rows = np.concatenate([free, n_rows + 2 + self.planes + np.arange(len(of_planes))])
        self.planes += len(of_planes)
        opposite = units[classes.turned[units]]
        for i, c in enumerate(columns):
            steps = np.concatenate([table[free, c], classes.steps[of_planes, i] << bits])
            digits = _digits(steps)
            level = min(int(np.bitwise_or.reduce(digits, axis=None)).bit_length(), width[c])
            shifts = np.arange(level, dtype=np.uint64)[:, None, None]
            numbers, found = np.nonzero(
                (digits >> shifts & np.uint64(1)).reshape(2 * level, len(steps))
            )
            lengths = np.bincount(numbers, minlength=2 * level)
            self.entries[c], self.lengths[c] = _filled(rows[found], lengths, 8, n_rows)
            complements = sum(count << b for b, count in enumerate(lengths[1::2].tolist()))
            self.constants[c] = int(table[opposite, c].sum()) - complements


cdef class Columns:
    """The columns of a comparison's unit differences, as lists of what is to be added: made
    once, shared by threads.

    `differences` is (units, columns), row-major; every column's absolute sum must be below
    2^62. Units with equal or opposite steps are counted together: in all columns, but those
    `alone`, of which most units have steps of their own, each by itself if that is faster.
    `additions` is how many rows are added for every 512 trials.
    """

    cdef csig_sums u
    cdef readonly int n_columns
    cdef readonly int64_t additions
    cdef list _arrays

    def __init__(self, const int64_t[:, ::1] differences not None, alone=()):
        cdef int64_t n = differences.shape[0]
        table = np.asarray(differences)
        n_rows = min(n, CSIG_SUMS_PIECE)
        negative = -table.sum(axis=0, where=table < 0)
        width = [max(1, int(total).bit_length()) for total in table.sum(axis=0) + 2 * negative]
        pieces = [
            _Piece(table[i : i + CSIG_SUMS_PIECE], alone, width, n_rows)
            for i in range(0, max(1, n), CSIG_SUMS_PIECE)
        ]
        by_column = [*zip(*(piece.lengths for piece in pieces), strict=True)]
        levels = [max(map(len, column)) // 2 for column in by_column]
        lengths = np.zeros((len(pieces), 2 * sum(levels)), dtype=np.int64)
        for column, start in zip(by_column, 2 * _starts(levels)[:-1], strict=True):
            for own, found in zip(lengths, column, strict=True):
                own[start : start + len(found)] = found
        classes = np.concatenate([own for piece in pieces for own in piece.classes])
        class_starts = _starts([sum(map(len, piece.classes)) for piece in pieces])
        members = np.concatenate([own for piece in pieces for own in piece.members])
        entries = np.concatenate([own for piece in pieces for own in piece.entries])
        constants = zip(*(piece.constants for piece in pieces), strict=True)
        first = [  # what all complements leave behind
            (own + sum(found)) % (1 << bits)
            for own, found, bits in zip(negative.tolist(), constants, width, strict=True)
        ]
        self._arrays = arrays = []
        self.u.n_units = n
        self.u.n_columns = self.n_columns = table.shape[1]
        self.additions = len(members) + len(entries)
        self.u.rows = n_rows + 2 + max(piece.planes for piece in pieces)
        self.u.longest = lengths.reshape(-1, 2).sum(axis=1).max(initial=0)
        self.u.n_lists = lengths.shape[1]
        self.u.classes = <const uint16_t *> held(arrays, classes, np.uint16)
        self.u.class_starts = <const int64_t *> held(arrays, class_starts, np.int64)
        self.u.members = <const uint16_t *> held(arrays, members, np.uint16)
        self.u.member_starts = <const int64_t *> held(
            arrays, _starts(classes[:, :2].sum(axis=1))[class_starts], np.int64
        )
        self.u.width = <const int32_t *> held(arrays, width, np.int32)
        self.u.levels = <const int32_t *> held(arrays, levels, np.int32)
        self.u.shift = <const int64_t *> held(arrays, negative, np.int64)
        self.u.first = <const uint64_t *> held(arrays, first, np.uint64)
        self.u.entries = <const uint16_t *> held(arrays, entries, np.uint16)
        self.u.starts = <const int64_t *> held(arrays, _starts(lengths.ravel()), np.int64)

    def workspace(self, source):
        """The buffer a run with this generator needs; it begins at a multiple of 64 bytes."""
        return aligned(csig_sums_workspace(&self.u, jumps(source)))


cdef class Walk:
    """The trials of one chunk from its first one on, in pieces."""

    cdef Columns columns
    cdef csig_groups state
    cdef object source, lock

    def __init__(
        self, Columns columns not None, source, const uint32_t[::1] entropy, int64_t chunk, int isa
    ):
        self.columns, self.source = columns, source
        self.lock = begin(&self.state.stream, source, entropy, <uint32_t> chunk, 0)
        csig_sums_start(&self.state, isa, &columns.u)

    def next(
        self, int64_t n_trials, uint64_t[::1] workspace not None,
        int64_t[:, ::1] sums not None, const int[::1] stop not None
    ):
        """Sums of the next n_trials trials into sums[column, trial].

        All but the last piece of a walk are multiples of STEP. Returns False if the stop flag
        was seen.
        """
        cdef int code = 0
        if (
            sums.shape[0] < self.columns.u.n_columns or sums.shape[1] < n_trials
            or workspace.shape[0] < csig_sums_workspace(
                &self.columns.u, csig_jumps(self.state.stream.kind)
            )
        ):
            raise ValueError("buffer too small")
        with self.lock, nogil:
            code = csig_sums_next(
                &self.state, &self.columns.u, n_trials, &workspace[0], &sums[0, 0], sums.shape[1],
                &stop[0]
            )
        return code == 0
