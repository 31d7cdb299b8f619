// The page's own files, as the build has put them into the program (cmake/EmbedPage.cmake).
#pragma once

namespace lockstep::page {

extern const char page_frame[];   // HTML, with {{NAME}} where something goes
extern const char page_style[];   // CSS
extern const char page_script[];  // JavaScript
// uPlot, which draws the plots.
extern const char chart_script[], chart_style[], chart_licence[];

}  // namespace lockstep::page
