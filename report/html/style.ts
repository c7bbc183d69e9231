/** How the page looks: one column, dense, in the colours of the reader's system; on paper everything is open. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#57606a;--line:#d5dae0;--soft:#f5f7f9;--race:#b3261e;--race-soft:#fdeceb;--time:#8a5a00;--time-soft:#fdf3e0;--cond:#5b4bb7;--cond-soft:#efedfb;--ok:#1a7037;--link:#0b57a4;--local:#0b57a4;--local-soft:#e3effb;--remote:#a83800;--remote-soft:#fdebe0}
@media (prefers-color-scheme:dark){:root{--bg:#14171b;--fg:#e4e8ec;--dim:#9aa4af;--line:#343a42;--soft:#1c2026;--race:#ff8a80;--race-soft:#3a1d1c;--time:#f0b95b;--time-soft:#352a16;--cond:#b6abff;--cond-soft:#262241;--ok:#6fd08c;--link:#80bfff;--local:#80bfff;--local-soft:#152c44;--remote:#ffab78;--remote-soft:#40260f}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:14px/1.45 system-ui,sans-serif}
main,header,footer{max-width:1060px;margin:0 auto;padding:0 20px}
header{padding-top:22px}
h1{font-size:20px;margin:0 0 2px}
h2{font-size:16px;margin:30px 0 8px}
h2 small,.dim{color:var(--dim);font-weight:400}
h3,h4{margin:0;font-size:inherit}
h4{margin:18px 0 6px;font-size:13px}
p{margin:4px 0}
a{color:var(--link)}
code,pre,.src,.order text.src,.order text.at{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}
code{unicode-bidi:isolate;overflow-wrap:anywhere}
pre{margin:0;padding:8px 10px;background:var(--soft);border:1px solid var(--line);border-radius:6px;overflow-x:auto;line-height:1.4}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--bg);padding:4px 8px}
.bar{display:flex;flex-wrap:wrap;gap:6px 8px;align-items:center;margin:14px 0 0}
.bar[hidden],.steps[hidden],.copy[hidden]{display:none}
button,input[type=search]{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--line);border-radius:6px;padding:3px 10px}
button{cursor:pointer}button:hover{background:var(--soft)}
button[aria-pressed=false]{color:var(--dim);text-decoration:line-through}
input[type=search]{min-width:230px;flex:1;max-width:360px}
.f{border:1px solid var(--line);border-left:4px solid var(--race);border-radius:8px;margin:0 0 10px;content-visibility:auto;contain-intrinsic-size:auto 110px}
.f.timing{border-left-color:var(--time)}.f.conditional{border-left-color:var(--cond)}.f.hid{border-left-color:var(--line)}
.f[hidden]{display:none}
.f:target{box-shadow:0 0 0 2px var(--link)}
.f>summary{padding:10px 14px;cursor:pointer;list-style:none}
.f>summary::-webkit-details-marker{display:none}
.f>summary h3{font-size:15px;font-weight:600}
.f>summary h3 b{color:var(--race)}.timing>summary h3 b{color:var(--time)}.conditional>summary h3 b{color:var(--cond)}.hid>summary h3 b{color:var(--dim)}
.places{display:flex;flex-wrap:wrap;gap:0 18px;margin:4px 0}
.plainlist li{list-style:none}.plainlist{padding:0;margin:0}
.fix{display:block;margin:4px 0}
.meta{display:block;color:var(--dim);font-size:13px}
.body{padding:0 14px 14px;border-top:1px solid var(--line)}
.tag{display:inline-block;border-radius:10px;padding:0 8px;background:var(--soft);color:var(--dim);font-size:12px;border:1px solid var(--line)}
.wide{overflow-x:auto}
.order{width:100%;min-width:640px;height:auto;display:block;font-size:12.5px}
.order text{fill:var(--fg)}
.order .lane{font-weight:600;font-size:13px}
.order .no{fill:var(--dim);text-anchor:end;font-size:11px}
.order .at{fill:var(--dim);font-size:11px}.order .src{font-size:11.5px}
.order .life{stroke:var(--line)}
.order .fold line{stroke:var(--line);stroke-dasharray:2 4}.order .fold text{fill:var(--dim);font-size:11.5px;text-anchor:end;paint-order:stroke;stroke:var(--bg);stroke-width:6px}
.order rect{fill:var(--soft);stroke:var(--line)}
.order .moved rect{stroke:var(--fg)}.order .moved .what{font-weight:600}
.order .first rect,.order .second rect{fill:var(--local-soft);stroke:var(--local)}
.order .remote rect{fill:var(--remote-soft);stroke:var(--remote)}
.order .mark{font-size:15px}.order .first .mark,.order .second .mark{fill:var(--local)}.order .remote .mark{fill:var(--remote)}
.order .role .what{font-weight:600}
.order .req path{fill:none;stroke:var(--dim);opacity:.75}.order .req circle,.order .req .tip{fill:var(--dim);stroke:none}
.order rect.lock{fill:var(--ok);stroke:none}
.order .switch line{stroke:var(--remote);stroke-width:2;stroke-dasharray:5 3}.order .switch text{fill:var(--remote);font-size:11px;paint-order:stroke;stroke:var(--bg);stroke-width:5px}
.order .now rect{stroke-width:3;stroke:var(--link)}
.legend{font-size:12px;color:var(--dim)}
.cmp{display:grid;grid-template-columns:1fr 1fr;gap:12px}
.cmp>div{border:1px solid var(--line);border-radius:6px;padding:6px 10px;min-width:0}
.cmp ol,.all ol{margin:4px 0;padding-left:34px}.cmp li,.all li{overflow-wrap:anywhere}
.cmp mark{background:var(--remote-soft);color:inherit;border-radius:3px;padding:0 3px}
.cmp .bad h5{color:var(--race)}.cmp .good h5{color:var(--ok)}h5{margin:0;font-size:13px}
.code{display:grid;grid-template-columns:max-content 1fr;column-gap:10px;min-width:max-content}
.code .hit{font-weight:600}.code .n{color:var(--dim);text-align:right}.code .h{color:var(--remote)}
details.all>summary,details.more>summary{cursor:pointer;color:var(--link);margin:6px 0}
table{border-collapse:collapse;width:100%;font-size:13px}
th,td{text-align:left;padding:4px 8px;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--dim);font-weight:600;white-space:nowrap}
td.num,th.num{text-align:right;font-variant-numeric:tabular-nums}
td.name{min-width:260px;overflow-wrap:anywhere}
tbody tr:hover{background:var(--soft)}
.st-bug{color:var(--race)}.st-timing,.st-loud{color:var(--time)}.st-ok{color:var(--ok)}
footer{color:var(--dim);padding:30px 20px;font-size:13px}
@media (max-width:640px){main,header,footer{padding-left:12px;padding-right:12px}.cmp{grid-template-columns:1fr}}
@media print{.bar,.copy,.steps,.skip{display:none!important}.f{break-inside:avoid-page;content-visibility:visible}body{font-size:11px}}
`;
