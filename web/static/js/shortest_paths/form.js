// The form that requests all shortest solutions: the board as tiles.

import { BoardField } from "../home/board_field.js";

new BoardField(document.getElementById("ways-form"));
