"""The use cases.

A small board takes this way through them:

1. ``jobs.submission`` brings ``1 2 3 / 4 0 6 / 7 5 8`` to its canonical form, and checks options,
   size and solvability.
2. ``jobs.submit`` looks for a solve of that form. If its bounds are good enough, the job is done:
   the moves are mapped back and replayed.
3. If not, it stores a job and, with ``farm.state_machine``, a solve with one slice: the initial
   search. After the commit, ``tickets.announce`` tells a worker that there is work.
4. ``farm.slice_worker`` claims the slice under a lease, ``farm.searcher`` runs A* through
   ``farm.local_solver`` and replays what it found.
5. ``farm.state_machine`` decides what follows from the result, here the end of the solve and of its
   job, in one transaction.
6. ``jobs.read`` answers the client's next poll: moves mapped back to the board as given.

If anything is lost in between, ``reconciler`` sends the ticket again, and the lease expires.
"""
