#include "daemon/expose/page_style.h"

namespace tidegauge {

const std::string_view kPageStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --text: #1b1f24; --soft: #59636e; --line: #d8dee4;
  --critical: #b42318; --warning: #9a5b00; --info: #0b62a8; --unknown: #6b3fa0; --good: #18794e;
  --critical-back: #fdecea; --warning-back: #fff4e0; --info-back: #e8f2fb;
  --unknown-back: #f3ecfb; --good-back: #e6f6ee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1116; --card: #171b22; --text: #e6e9ee; --soft: #9aa5b1; --line: #2d343e;
    --critical: #ff8a80; --warning: #ffc266; --info: #7cc0ff; --unknown: #c9a6ff; --good: #6fdca5;
    --critical-back: #35191a; --warning-back: #33270f; --info-back: #12283d;
    --unknown-back: #281d3a; --good-back: #12301f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 0 16px 32px; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
}
main, .top, footer { max-width: 1100px; margin: 0 auto; }
.top { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 16px; padding: 14px 0; }
.top b { font-size: 18px; }
.top span, footer, .soft { color: var(--soft); }
h2 { font-size: 17px; margin: 28px 0 10px; }
.banner { padding: 16px 20px; border-radius: 8px; border-left: 8px solid; }
.banner strong { display: block; font-size: 24px; line-height: 1.3; }
.banner p { margin: 4px 0 0; color: var(--text); }
.critical { --tone: var(--critical); --back: var(--critical-back); }
.warning { --tone: var(--warning); --back: var(--warning-back); }
.info { --tone: var(--info); --back: var(--info-back); }
.unknown { --tone: var(--unknown); --back: var(--unknown-back); }
.good { --tone: var(--good); --back: var(--good-back); }
.banner { color: var(--tone); background: var(--back); border-color: var(--tone); }
article {
  background: var(--card); border: 1px solid var(--line); border-left: 6px solid var(--tone);
  border-radius: 8px; padding: 14px 18px; margin: 0 0 12px; overflow-wrap: anywhere;
}
article h3 { margin: 0; font-size: 16px; display: flex; flex-wrap: wrap; gap: 4px 10px; }
article p { margin: 8px 0 0; }
.tag {
  color: var(--tone); background: var(--back); border-radius: 4px; padding: 0 8px; font-size: 13px;
  font-weight: 600; line-height: 24px; white-space: nowrap;
}
.where { color: var(--soft); font-weight: 400; }
.facts { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 8px 0 0; }
.facts dt, .facts dd { display: inline; margin: 0; }
.facts dt { color: var(--soft); }
.facts dd { font-weight: 600; }
.next { border-top: 1px solid var(--line); padding-top: 8px; }
details { margin-top: 8px; }
details > summary { cursor: pointer; color: var(--soft); }
.scroll {
  overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
}
details .scroll { margin-top: 8px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 7px 12px; vertical-align: top; }
th { color: var(--soft); font-weight: 600; font-size: 13px; white-space: nowrap; }
tr + tr td, thead + tbody td { border-top: 1px solid var(--line); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.name { font-weight: 600; min-width: 7em; overflow-wrap: anywhere; }
.nowrap { white-space: nowrap; }
footer { margin-top: 28px; display: flex; flex-wrap: wrap; gap: 4px 18px; }
a { color: var(--info); }
@media (max-width: 640px) {
  body { padding: 0 10px 24px; font-size: 14px; }
  .wide { display: none; }
  .banner { padding: 12px 14px; }
  .banner strong { font-size: 20px; }
  article { padding: 12px 14px; }
  th, td { padding: 6px 8px; }
  .name { min-width: 5em; }
}
)css";

}  // namespace tidegauge
