from tools.benchmarks.load_clients import client_pool


def test_process_of_clients_gives_each_board_once() -> None:
    with client_pool("127.0.0.1:1") as clients:
        boards = clients.take_boards(3) + clients.take_boards(3)
    assert len({tuple(board) for board in boards}) == 6
