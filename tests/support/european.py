"""Words that Brazilians write otherwise, or that the product has another word for."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = (
    r"procur\w*",  # busca, buscar
    r"ficheiro\w*",  # arquivo
    r"jogada\w*",  # movimento
    r"descarreg\w*|transferir|transferência",  # baixar
    r"baralh\w*",  # embaralhar
    r"guard(ar|a|am|ad[oa]s?)",  # salvar
    r"ecrãs?|rato|utilizador\w*|equipa",
    r"registos?|registad[oa]s?|registar",  # registro
    r"facto|contacto|projecto|objectivo|acção|direcção|óptim\w*",
    r"porquê|consigo|ligação|demasiado|partilhar|decorre",
    r"nu(m|ma|ns|mas)",  # em um, em uma
    r"puzzles?",  # quebra-cabeça
    r"(?:está|estão|estou|estamos) a \w+r",  # está fazendo
    r"à procura|à espera",
)
EUROPEAN: Final = re.compile(rf"\b({'|'.join(_WORDS)})\b", re.IGNORECASE)
