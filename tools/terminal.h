// What the terminal behind a stream can show.

#pragma once

namespace carom {

bool can_redraw(int stream);     // a terminal, and no dumb one: lines can be drawn again
bool shows_colours(int stream);  // and NO_COLOR is not set: colours and true minus signs are for the eye

}  // namespace carom
