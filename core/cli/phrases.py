"""What the command line says beside a solution, in the languages it speaks."""

from __future__ import annotations

from enum import StrEnum


class Language(StrEnum):
    """Languages of solutions, explanations and notes."""

    ENGLISH = "en"
    PORTUGUESE = "pt"


class Phrase(StrEnum):
    """Sentences with places to fill; the English one is the value."""

    ALREADY_SOLVED = "the board is already solved: 0 moves"
    PROVED = "{upper} moves, proved shortest: {nodes} nodes in {seconds} s by {algorithm}"
    NOT_PROVED = "{upper} moves, not proved shortest: the optimum has at least {lower}"
    NO_ANSWER = "no solution within the limit: the optimum has at least {lower} moves"
    INTERRUPTED = "interrupted after {nodes} nodes in {seconds} s"
    BUILT = "built the pattern databases {title} in {seconds} s; they stay in {folder} ({size})"
    NOT_BUILT = "the pattern databases {title} could not be built; the search goes on without them"
    WELCOME = (
        "Type the numbers of a board, row after row in one line, 0 for the blank, and press Enter. "
        "An empty line ends."
    )
    EXAMPLE = "Example: {board}"
    PROMPT = "Board> "

    def say(self, language: Language, **values: object) -> str:
        """Fill the sentence in a language."""
        words = self.value if language is Language.ENGLISH else _PORTUGUESE[self]
        return words.format(**values)


_PORTUGUESE = {
    Phrase.ALREADY_SOLVED: "o tabuleiro já está resolvido: 0 movimentos",
    Phrase.PROVED: "{upper} movimentos, mínimo provado: {nodes} nós em {seconds} s por {algorithm}",
    Phrase.NOT_PROVED: "{upper} movimentos, sem prova de mínimo: o ótimo tem pelo menos {lower}",
    Phrase.NO_ANSWER: "nenhuma solução dentro do limite: o ótimo tem pelo menos {lower} movimentos",
    Phrase.INTERRUPTED: "interrompido após {nodes} nós em {seconds} s",
    Phrase.BUILT: "bases de padrões {title} construídas em {seconds} s; ficam em {folder} ({size})",
    Phrase.NOT_BUILT: "as bases de padrões {title} não puderam ser construídas; a busca continua "
    "sem elas",
    Phrase.WELCOME: "Digite os números de um tabuleiro numa só linha, 0 para o espaço, e tecle "
    "Enter. Uma linha vazia encerra.",
    Phrase.EXAMPLE: "Exemplo: {board}",
    Phrase.PROMPT: "Tabuleiro> ",
}
