"""The shuffle engine over units: random shuffles, summed column by column."""

import numpy as np
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

from csig_ext.generators cimport aligned, begin, csig_jumps, csig_stream, jumps

cdef extern from "sums.h":
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

    int64_t csig_sums_workspace(const csig_sums *u, int jumps) noexcept nogil
    ctypedef struct csig_sums_walk:
        csig_stream stream

    void csig_sums_start(csig_sums_walk *walk, const csig_sums *u) noexcept nogil
    int csig_sums_next(
        csig_sums_walk *walk, int isa, const csig_sums *u, int64_t n_trials,
        uint64_t *workspace, int64_t *sums, int64_t stride, volatile const int *stop
    ) noexcept nogil

STEP = CSIG_SUMS_STEP


#: A class is counted where this many additions are saved, for what goes on beside them.
_SAVED = 2

#: Cells whose lists are made at once, where that is a piece or more: some megabytes beside the
#: lists themselves, however many units there are.
_TOGETHER = 2**17


def _digits(sizes):
    """The non-adjacent form: the bits that are added, and those that are taken away."""
    half = sizes >> np.uint64(1)
    more = sizes + half
    digits = half ^ more
    return more & digits, half & digits


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
    """Units of one piece with equal or opposite steps, where counting them saves additions.

    `counted` are the units whose words are counted by class, `turned` those that count when they
    are not swapped. Of classes, in ascending order of `pieces`, large ones first: `planes`, the
    `steps` that one counted unit takes, the rows of their `members`, and the `lengths` of these
    lists, of those counted when swapped and when not, multiples of four. `cost` are additions, of
    units that are in no class as well.
    """

    def __init__(self, table, pieces, n_rows):
        n = len(table)
        lead = table[np.arange(n), np.argmax(table != 0, axis=1)]
        self.turned = lead < 0
        steps = np.where(self.turned[:, None], -table, table)
        # Two classes with one key are no mistake: neighbours are compared.
        factors = np.uint64(0x9E3779B97F4A7C15) ** np.arange(table.shape[1], dtype=np.uint64)
        keys = (steps.view(np.uint64) * factors).sum(axis=1, dtype=np.uint64)
        order = np.lexsort((keys, pieces))
        steps, ordered = steps[order], pieces[order]
        new = np.ones(n, dtype=np.bool_)
        new[1:] = (ordered[1:] != ordered[:-1]) | (steps[1:] != steps[:-1]).any(axis=1)
        begins = np.flatnonzero(new)
        sizes = np.diff(begins, append=n)
        digits = np.bitwise_or(*_digits(np.abs(steps[begins]).view(np.uint64)))
        weights = np.bitwise_count(digits).sum(axis=1, dtype=np.int64)
        planes = np.frexp(sizes)[1]  # bits of a size
        counted = sizes + planes * weights
        pays = np.flatnonzero(sizes * weights > counted + _SAVED)
        self.cost = int((sizes * weights).sum() + (counted - sizes * weights)[pays].sum())
        chosen = pays[np.lexsort((-sizes[pays], ordered[begins[pays]]))]
        self.pieces, self.planes = ordered[begins[chosen]], planes[chosen]
        self.steps = steps[begins[chosen]]
        # Which of the classes a unit is in, or -1.
        numbers = np.full(len(begins), -1)
        numbers[chosen] = np.arange(len(chosen))
        of_units = np.empty(n, dtype=np.int64)
        of_units[order] = np.repeat(numbers, sizes)
        self.counted = of_units >= 0
        units = np.flatnonzero(self.counted)
        lists = 2 * of_units[units] + self.turned[units]
        order = np.argsort(lists, kind="stable")
        lengths = np.bincount(lists, minlength=2 * len(self.pieces))
        rows = units[order] % CSIG_SUMS_PIECE
        self.members, lengths = _filled(rows, lengths, 4, n_rows)
        self.lengths = lengths.reshape(-1, 2)


class _Addends:
    """All rows that are added, piece by piece: units that are in no class, planes of counts.

    `added` and `lacking` are the digits of each addend's steps, (addends, columns): bits in which
    it is added, and in which its complement is. `most` are the planes in a piece.
    """

    def __init__(self, table, pieces, classes, n_rows, before=0):
        """`before` is how many planes of the piece, if there is but one, belong to others."""
        units = np.flatnonzero(table.any(axis=1) & ~classes.counted)
        of_planes = np.repeat(np.arange(len(classes.planes)), classes.planes)
        starts = _starts(classes.planes)
        bits = np.arange(starts[-1]) - starts[of_planes]
        first = np.searchsorted(classes.pieces[of_planes], classes.pieces[of_planes])
        within = np.arange(starts[-1]) - first  # of the piece's planes
        self.most = int(within.max(initial=-1)) + 1
        self.pieces = np.concatenate([pieces[units], classes.pieces[of_planes]])
        order = np.argsort(self.pieces, kind="stable")
        self.pieces = self.pieces[order]
        rows = np.concatenate([units % CSIG_SUMS_PIECE, n_rows + 2 + before + within])
        self.rows = rows[order].astype(np.uint16)
        steps = np.concatenate([table[units], classes.steps[of_planes] << bits[:, None]])[order]
        plus, minus = _digits(np.abs(steps).view(np.uint64))
        negative = steps < 0
        self.added = np.where(negative, minus, plus)
        self.lacking = np.where(negative, plus, minus)


def _lists(addends, levels, n_pieces, n_rows):
    """For each piece, each column, each bit: the addends with a 1 there, those with a -1.

    Returns their rows, an array for each column of each piece; for each column how long the lists
    of each piece are; and how many addends have a -1 in each bit of each column.
    """
    bounds = np.searchsorted(addends.pieces, np.arange(n_pieces + 1))
    entries = []
    lengths = [np.zeros((n_pieces, 2 * level), dtype=np.int64) for level in levels]
    lacking = [np.zeros(level, dtype=np.int64) for level in levels]
    for piece in range(n_pieces):
        here = slice(bounds[piece], bounds[piece + 1])
        rows = addends.rows[here]
        for c, level in enumerate(levels):
            digits = np.stack([addends.added[here, c], addends.lacking[here, c]])
            shifts = np.arange(level, dtype=np.uint64)[:, None, None]
            bits = (digits >> shifts).reshape(2 * level, len(rows)) & np.uint64(1)
            numbers, found = np.nonzero(bits)
            own = np.bincount(numbers, minlength=2 * level)
            lacking[c] += own[1::2]
            filled, lengths[c][piece] = _filled(rows[found], own, 8, n_rows)
            entries.append(filled)
    return entries, lengths, lacking


class _Pieces:
    """What is added in some pieces.

    `classes` are how many units of each are counted when swapped, how many when not, and its
    planes; `n_classes` those of each piece, and `members` their rows. `entries` are the rows that
    are added, of each column of each piece, and `lengths` how long these lists are, by column.
    `constants` are what complements leave behind in each column, `most` the planes in a piece.
    """

    def __init__(self, table, width, n_rows):
        pieces = np.arange(len(table)) // CSIG_SUMS_PIECE
        self._fill(table, pieces, _Classes(table, pieces, n_rows), width, n_rows)

    def _fill(self, table, pieces, classes, width, n_rows, before=0):
        n_pieces = max(1, -(-len(table) // CSIG_SUMS_PIECE))
        addends = _Addends(table, pieces, classes, n_rows, before)
        used = np.bitwise_or.reduce(addends.added | addends.lacking, axis=0)
        levels = [
            min(int(found).bit_length(), most) for found, most in zip(used, width, strict=True)
        ]
        self.entries, self.lengths, lacking = _lists(addends, levels, n_pieces, n_rows)
        self.classes = np.column_stack([classes.lengths, classes.planes]).astype(np.uint16)
        self.n_classes = np.bincount(classes.pieces, minlength=n_pieces)
        self.members, self.most = classes.members, before + addends.most
        opposite = table[classes.counted & classes.turned].sum(axis=0).tolist()
        self.constants = [
            constant - sum(count << bit for bit, count in enumerate(counts.tolist()))
            for constant, counts in zip(opposite, lacking, strict=True)
        ]


class _Apart(_Pieces):
    """One piece, in which some columns have classes of their own where that saves additions."""

    def __init__(self, table, width, n_rows, alone):
        pieces = np.zeros(len(table), dtype=np.int64)
        together = _Classes(table, pieces, n_rows)
        others = [c for c in range(table.shape[1]) if c not in alone]
        groups = [*([others] if others else []), *([c] for c in alone)]
        classes = [_Classes(table[:, own], pieces, n_rows) for own in groups]
        if together.cost <= sum(own.cost for own in classes):
            self._fill(table, pieces, together, width, n_rows)
            return
        parts, before = [], 0
        for columns, own in zip(groups, classes, strict=True):
            part = _Pieces.__new__(_Pieces)
            part._fill(table[:, columns], pieces, own, [width[c] for c in columns], n_rows, before)
            parts.append(part)
            before = part.most
        order = np.argsort(np.concatenate(groups)).tolist()  # the columns as they were

        def joined(name):
            found = [one for part in parts for one in getattr(part, name)]
            return [found[place] for place in order]

        self.entries, self.lengths, self.constants = map(joined, ("entries", "lengths", "constants"))
        self.classes = np.concatenate([part.classes for part in parts])
        self.n_classes = sum(part.n_classes for part in parts)
        self.members, self.most = np.concatenate([part.members for part in parts]), before


def _all_pieces(table, width, n_rows, alone):
    """Those of all units, a few pieces at a time."""
    if alone:
        starts = range(0, max(1, len(table)), CSIG_SUMS_PIECE)
        return [
            _Apart(table[start : start + CSIG_SUMS_PIECE], width, n_rows, alone)
            for start in starts
        ]
    n = CSIG_SUMS_PIECE * max(1, _TOGETHER // (CSIG_SUMS_PIECE * table.shape[1]))
    starts = range(0, max(1, len(table)), n)
    return [_Pieces(table[start : start + n], width, n_rows) for start in starts]


def _joined_lengths(parts, levels):
    """How long the lists of all pieces are, each column with all its bits in every piece."""
    lengths = np.zeros((sum(len(part.n_classes) for part in parts), 2 * sum(levels)), np.int64)
    first = 0
    for part in parts:
        here = slice(first, first + len(part.n_classes))
        for own, start in zip(part.lengths, 2 * _starts(levels)[:-1], strict=True):
            lengths[here, start : start + own.shape[1]] = own
        first = here.stop
    return lengths.ravel()


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
    cdef object _arrays

    def __init__(self, const int64_t[:, ::1] differences, alone=()):
        cdef int64_t n = differences.shape[0]
        table = np.asarray(differences)
        n_rows = min(n, CSIG_SUMS_PIECE)
        negative = -table.sum(axis=0, where=table < 0)
        width = [max(1, int(total).bit_length()) for total in table.sum(axis=0) + 2 * negative]
        parts = _all_pieces(table, width, n_rows, [*alone])
        first = [  # what all complements leave behind
            (own + sum(found)) % (1 << bits)
            for own, bits, *found in zip(
                negative.tolist(), width, *(part.constants for part in parts), strict=True
            )
        ]
        levels = [
            max(own.shape[1] for own in column) // 2
            for column in zip(*(part.lengths for part in parts), strict=True)
        ]
        lengths = _joined_lengths(parts, levels)
        longest = int(lengths.reshape(-1, 2).sum(axis=1).max(initial=0))
        end = np.zeros(1, dtype=np.uint16)  # never empty
        classes = np.concatenate([part.classes for part in parts])
        class_starts = _starts(np.concatenate([part.n_classes for part in parts]))
        members = np.concatenate([*(part.members for part in parts), end])
        entries = np.concatenate([*(own for part in parts for own in part.entries), end])
        cdef const uint16_t[::1] classes_ = np.append(classes, end)
        cdef const int64_t[::1] class_starts_ = class_starts
        cdef const uint16_t[::1] members_ = members
        cdef const int64_t[::1] member_starts_ = _starts(classes[:, :2].sum(axis=1))[class_starts]
        cdef const int32_t[::1] width_ = np.array([*width, 0], dtype=np.int32)
        cdef const int32_t[::1] levels_ = np.array([*levels, 0], dtype=np.int32)
        cdef const int64_t[::1] shift_ = np.append(negative, 0)
        cdef const uint64_t[::1] first_ = np.array([*first, 0], dtype=np.uint64)
        cdef const uint16_t[::1] entries_ = entries
        cdef const int64_t[::1] starts_ = _starts(lengths)
        self.u.n_units = n
        self.u.n_columns = self.n_columns = table.shape[1]
        self.additions = len(members) + len(entries) - 2
        self.u.rows = n_rows + 2 + max(part.most for part in parts)
        self.u.longest = longest
        self.u.n_lists = 2 * sum(levels)
        self.u.classes = &classes_[0]
        self.u.class_starts = &class_starts_[0]
        self.u.members = &members_[0]
        self.u.member_starts = &member_starts_[0]
        self.u.width = &width_[0]
        self.u.levels = &levels_[0]
        self.u.shift = &shift_[0]
        self.u.first = &first_[0]
        self.u.entries = &entries_[0]
        self.u.starts = &starts_[0]
        self._arrays = (
            classes_, class_starts_, members_, member_starts_, width_, levels_, shift_, first_,
            entries_, starts_,
        )

    def workspace(self, source):
        """The buffer a run with this generator needs; it begins at a multiple of 64 bytes."""
        return aligned(csig_sums_workspace(&self.u, jumps(source)))


cdef class Walk:
    """The trials of one chunk from its first one on, in pieces."""

    cdef Columns columns
    cdef csig_sums_walk state
    cdef object source, lock

    def __init__(self, Columns columns, source, const uint32_t[::1] entropy, int64_t chunk):
        self.columns = columns
        self.source = source
        self.lock = begin(&self.state.stream, source, entropy, <uint32_t> chunk, 0)
        csig_sums_start(&self.state, &columns.u)

    def next(
        self, int64_t n_trials, uint64_t[::1] workspace not None,
        int64_t[:, ::1] sums not None, const int[::1] stop not None, int isa
    ):
        """Sums of the next n_trials trials into sums[column, trial].

        All but the last piece of a walk are multiples of STEP. Returns False if the stop flag
        was seen.
        """
        cdef int code = 0
        if (
            sums.shape[0] < self.columns.u.n_columns or sums.shape[1] < n_trials
            or workspace.shape[0] < csig_sums_workspace(&self.columns.u, csig_jumps(self.state.stream.kind))
        ):
            raise ValueError("buffer too small")
        with self.lock, nogil:
            code = csig_sums_next(
                &self.state, isa, &self.columns.u, n_trials, &workspace[0], &sums[0, 0],
                sums.shape[1], &stop[0]
            )
        PyErr_CheckSignals()
        return code == 0
