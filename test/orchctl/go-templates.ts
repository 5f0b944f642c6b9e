/** Templates with the answers of kubectl for one config map: standard output, or standard error where the status is 1. */
export const goTemplates: readonly (readonly [string, { readonly status: number; readonly text: string }])[] =
  [
    ['{{.metadata.name}}', { status: 0, text: 'web' }],
    [
      '{{range $k,$v := .data}}{{$k}}={{$v}}{{"\\n"}}{{end}}',
      { status: 0, text: 'a=one\nb=two\nb64=aGVsbG8=\nnum=5\n' },
    ],
    ['{{range .data}}{{.}};{{else}}none{{end}}', { status: 0, text: 'one;two;aGVsbG8=;5;' }],
    ['{{range .nothing}}{{.}};{{else}}none{{end}}', { status: 0, text: 'none' }],
    ['{{if .data.a}}yes{{else if .data.b}}b{{else}}no{{end}}', { status: 0, text: 'yes' }],
    ['{{if .data.zz}}yes{{else if .data.b}}b{{else}}no{{end}}', { status: 0, text: 'b' }],
    [
      '{{with .metadata}}{{.name}}/{{$.kind}}{{end}}{{with .zz}}x{{else}}none{{end}}',
      { status: 0, text: 'web/ConfigMapnone' },
    ],
    ['{{$x := .metadata.name}}{{$x}}{{$x = "b"}}{{$x}}', { status: 0, text: 'webb' }],
    [
      '{{index .data "a"}} {{index .metadata.labels "app.kubernetes.io/name"}}',
      { status: 0, text: 'one web' },
    ],
    ['{{len .data}} {{len .data.a}} {{len .metadata.finalizers}}', { status: 0, text: '4 3 2' }],
    [
      '{{printf "%s|%5s|%-5s|%q|%v|%d|%05d|%x" "a" "b" "c" "d\\n" .data 5 42 "hi"}}',
      { status: 0, text: 'a|    b|c    |"d\\n"|map[a:one b:two b64:aGVsbG8= num:5]|5|00042|6869' },
    ],
    [
      '{{printf "%d" "a"}} {{printf "%s" 5}} {{printf "%s"}} {{printf "%d" 1 2}} {{printf "%z" 1}}',
      { status: 0, text: '%!d(string=a) %!s(int=5) %!s(MISSING) 1%!(EXTRA int=2) %!z(int=1)' },
    ],
    [
      '{{eq .kind "ConfigMap"}} {{ne .kind "x"}} {{lt 1 2}} {{gt 2 1}} {{le 1 1}} {{ge 1 2}}',
      { status: 0, text: 'true true true true true false' },
    ],
    [
      '{{and 1 0}} {{or 0 "x"}} {{not true}} {{and true .data.zz}} {{or .zz .yy}}',
      { status: 0, text: '0 x false <no value> <no value>' },
    ],
    ['{{println "a" 1 2 "b"}}{{print "a" 1 2 "b"}}{{print 1 2}}', { status: 0, text: 'a 1 2 b\na1 2b1 2' }],
    ['{{"aGVsbG8=" | base64decode}} {{.data.b64 | base64decode}}', { status: 0, text: 'hello hello' }],
    ['{{- /* comment */ -}}  a  {{- " b " -}}  c {{/* x */}} d', { status: 0, text: 'a b c  d' }],
    [
      '{{define "T"}}[{{.}}]{{end}}{{template "T" .metadata.name}}{{template "T"}}',
      { status: 0, text: '[web][<no value>]' },
    ],
    ['{{block "B" .kind}}<{{.}}>{{end}}', { status: 0, text: '<ConfigMap>' }],
    [
      '{{.metadata.labels}} {{.metadata.finalizers}}',
      { status: 0, text: 'map[app.kubernetes.io/name:web z:1] [a.example.com/x b.example.com/x]' },
    ],
    ['{{.zz}} {{.zz.yy}} {{.data.zz}}', { status: 0, text: '<no value> <no value> <no value>' }],
    [
      '{{.kind.zz}}',
      {
        status: 1,
        text: 'error: error executing template "{{.kind.zz}}": template: output:1:7: executing "output" at <.kind.zz>: can\'t evaluate field zz in type interface {}\n',
      },
    ],
    [
      '{{range $i,$e := .metadata.finalizers}}{{if $i}}, {{end}}{{$i}}:{{$e}}{{end}}',
      { status: 0, text: '0:a.example.com/x, 1:b.example.com/x' },
    ],
    [
      '{{range .metadata.finalizers}}{{if eq . "b.example.com/x"}}{{break}}{{end}}{{.}} {{end}}',
      { status: 0, text: 'a.example.com/x ' },
    ],
    [
      '{{range .metadata.finalizers}}{{if eq . "a.example.com/x"}}{{continue}}{{end}}{{.}} {{end}}',
      { status: 0, text: 'b.example.com/x ' },
    ],
    [
      '{{(index .metadata.finalizers 0)}} {{(.metadata).name}} {{slice .kind 0 3}}',
      { status: 0, text: 'a.example.com/x web Con' },
    ],
    [
      '{{index .metadata.finalizers 7}}',
      {
        status: 1,
        text: 'error: error executing template "{{index .metadata.finalizers 7}}": template: output:1:2: executing "output" at <index .metadata.finalizers 7>: error calling index: index out of range: 7\n',
      },
    ],
    [
      '{{index .zz "a"}}',
      {
        status: 1,
        text: 'error: error executing template "{{index .zz \\"a\\"}}": template: output:1:2: executing "output" at <index .zz "a">: error calling index: index of untyped nil\n',
      },
    ],
    [
      '{{nope 1}}',
      {
        status: 1,
        text: 'error: error parsing template {{nope 1}}, template: output:1: function "nope" not defined\n',
      },
    ],
    [
      '{{.a',
      { status: 1, text: 'error: error parsing template {{.a, template: output:1: unclosed action\n' },
    ],
    [
      '{{if .a}}x',
      { status: 1, text: 'error: error parsing template {{if .a}}x, template: output:1: unexpected EOF\n' },
    ],
    [
      '{{end}}',
      { status: 1, text: 'error: error parsing template {{end}}, template: output:1: unexpected {{end}}\n' },
    ],
    [
      '{{else}}',
      {
        status: 1,
        text: 'error: error parsing template {{else}}, template: output:1: unexpected {{else}}\n',
      },
    ],
    [
      '{{$y}}',
      {
        status: 1,
        text: 'error: error parsing template {{$y}}, template: output:1: undefined variable "$y"\n',
      },
    ],
    [
      '{{eq 1 1.0}}',
      {
        status: 1,
        text: 'error: error executing template "{{eq 1 1.0}}": template: output:1:2: executing "output" at <eq 1 1.0>: error calling eq: incompatible types for comparison\n',
      },
    ],
    [
      '{{eq .data .data}}',
      {
        status: 1,
        text: 'error: error executing template "{{eq .data .data}}": template: output:1:2: executing "output" at <eq .data .data>: error calling eq: non-comparable type map[a:one b:two b64:aGVsbG8= num:5]: map[string]interface {}\n',
      },
    ],
    ['{{eq .zz "a"}} {{eq "a" .zz}} {{eq .zz .yy}}', { status: 0, text: 'false false true' }],
    [
      '{{lt .zz 1}}',
      {
        status: 1,
        text: 'error: error executing template "{{lt .zz 1}}": template: output:1:2: executing "output" at <lt .zz 1>: error calling lt: invalid type for comparison\n',
      },
    ],
    [
      "{{1.5}} {{1e6}} {{1e21}} {{1e-7}} {{0x10}} {{'a'}} {{1_000}} {{.5}} {{123456789.0}} {{0.1}} {{-3}} {{010}}",
      { status: 0, text: '1.5 1e+06 1e+21 1e-07 16 97 1000 0.5 1.23456789e+08 0.1 -3 8' },
    ],
    ['{{true}} {{"q"}} {{`raw\\n`}} {{"\\t\\x41\\u00e9"}}', { status: 0, text: 'true q raw\\n \tA\u00e9' }],
    [
      '{{html "<a&\'\\">"}} {{js "a\'b<c>"}} {{urlquery "a b&c=d/\u00e9"}}',
      { status: 0, text: "&lt;a&amp;&#39;&#34;&gt; a\\'b\\u003Cc\\u003E a+b%26c%3Dd%2F%C3%A9" },
    ],
    [
      '{{len 5}}',
      {
        status: 1,
        text: 'error: error executing template "{{len 5}}": template: output:1:2: executing "output" at <len 5>: error calling len: len of type int\n',
      },
    ],
    [
      '{{base64decode "!!"}}',
      {
        status: 1,
        text: 'error: error executing template "{{base64decode \\"!!\\"}}": template: output:1:2: executing "output" at <base64decode "!!">: error calling base64decode: base64 decode failed: illegal base64 data at input byte 0\n',
      },
    ],
    ['{{.data.a | printf "%s-%s" "x"}}', { status: 0, text: 'x-one' }],
    ['{{.data.a | len | printf "%03d"}}', { status: 0, text: '003' }],
    ['{{exists .data "a"}}', { status: 0, text: 'true' }],
    [
      '{{nil}}',
      {
        status: 1,
        text: 'error: error executing template "{{nil}}": template: output:1:2: executing "output" at <nil>: nil is not a command\n',
      },
    ],
    [
      '{{"a" "b"}}',
      {
        status: 1,
        text: 'error: error executing template "{{\\"a\\" \\"b\\"}}": template: output:1:2: executing "output" at <"a">: can\'t give argument to non-function "a"\n',
      },
    ],
    [
      '{{.kind "b"}}',
      {
        status: 1,
        text: 'error: error executing template "{{.kind \\"b\\"}}": template: output:1:2: executing "output" at <.kind>: kind is not a method but has arguments\n',
      },
    ],
    [
      '{{1 | 2}}',
      {
        status: 1,
        text: 'error: error parsing template {{1 | 2}}, template: output:1: non executable command in pipeline stage 2\n',
      },
    ],
    [
      '{{template "none"}}',
      {
        status: 1,
        text: 'error: error executing template "{{template \\"none\\"}}": template: output:1:11: executing "output" at <{{template "none"}}>: template "none" not defined\n',
      },
    ],
    ['{{printf "%v %v" nil .zz}}', { status: 0, text: '<nil> <nil>' }],
    [
      '{{range "abc"}}{{.}}{{end}}',
      {
        status: 1,
        text: 'error: error executing template "{{range \\"abc\\"}}{{.}}{{end}}": template: output:1:8: executing "output" at <"abc">: range can\'t iterate over abc\n',
      },
    ],
    [
      '{{range true}}{{.}}{{end}}',
      {
        status: 1,
        text: 'error: error executing template "{{range true}}{{.}}{{end}}": template: output:1:8: executing "output" at <true>: range can\'t iterate over true\n',
      },
    ],
    [
      '{{with $x := .kind}}{{$x}}{{end}}{{if $z := .zz}}{{$z}}{{else}}{{$z}}{{end}}',
      { status: 0, text: 'ConfigMap<no value>' },
    ],
    ['{{with .zz}}a{{else with .kind}}{{.}}{{end}}', { status: 0, text: 'ConfigMap' }],
    [
      '{{ .metadata . }}',
      {
        status: 1,
        text: 'error: error executing template "{{ .metadata . }}": template: output:1:3: executing "output" at <.metadata>: metadata is not a method but has arguments\n',
      },
    ],
    ['{{print .metadata.name | printf "%s %s" .kind}}', { status: 0, text: 'ConfigMap web' }],
    [
      '{{(len .data) | printf "%T"}} {{printf "%T %T %T" .data "a" 1.5}}',
      { status: 0, text: 'int map[string]interface {} string float64' },
    ],
    [
      '{{printf "%6.2f|%e|%g|%t|%c|%U|%+d|%o|%b|%X" 3.14159 1500.0 1e-9 true 65 233 5 8 5 255}}',
      { status: 0, text: '  3.14|1.500000e+03|1e-09|true|A|U+00E9|+5|10|101|FF' },
    ],
    [
      '{{printf "%*d|%-8s|%8s|%.2s" 5 42 "ab" "cd" "efgh"}}',
      { status: 0, text: '   42|ab      |      cd|ef' },
    ],
    [
      '{{not .zz}} {{not}}',
      {
        status: 1,
        text: 'error: error executing template "{{not .zz}} {{not}}": template: output:1:14: executing "output" at <not>: wrong number of args for not: want 1 got 0\n',
      },
    ],
    [
      '{{len}}',
      {
        status: 1,
        text: 'error: error executing template "{{len}}": template: output:1:2: executing "output" at <len>: wrong number of args for len: want 1 got 0\n',
      },
    ],
    [
      '{{index .data "a" "b"}}',
      {
        status: 1,
        text: 'error: error executing template "{{index .data \\"a\\" \\"b\\"}}": template: output:1:2: executing "output" at <index .data "a" "b">: error calling index: cannot index slice/array with type string\n',
      },
    ],
    [
      '{{index .data 1}}',
      {
        status: 1,
        text: 'error: error executing template "{{index .data 1}}": template: output:1:2: executing "output" at <index .data 1>: error calling index: value has type int; should be string\n',
      },
    ],
    [
      '{{or}}',
      {
        status: 1,
        text: 'error: error executing template "{{or}}": template: output:1:2: executing "output" at <or>: wrong number of args for or: want at least 1 got 0\n',
      },
    ],
    [
      '{{.data.a.b.c}}',
      {
        status: 1,
        text: 'error: error executing template "{{.data.a.b.c}}": template: output:1:7: executing "output" at <.data.a.b.c>: can\'t evaluate field b in type interface {}\n',
      },
    ],
    ['{{print}}{{println}}x', { status: 0, text: '\nx' }],
    [
      '{{ if and (eq .kind "ConfigMap") (or .zz (ne .metadata.name "q")) }}ok{{ end }}',
      { status: 0, text: 'ok' },
    ],
    [
      '{{ range $k, $v := .metadata.labels -}}\n{{ $k }}: {{ $v }}\n{{ end }}done',
      { status: 0, text: 'app.kubernetes.io/name: web\nz: 1\ndone' },
    ],
    ['a {{- 3 -}} b {{-3}} c', { status: 0, text: 'a3b -3 c' }],
    ['{{/* a\nb */ -}}\nx', { status: 0, text: 'x' }],
    [
      '{{printf "%q" \'a\'}} {{printf "%q" .metadata.finalizers}} {{printf "%s" .data}} {{printf "%d" .metadata.finalizers}}',
      {
        status: 0,
        text: '\'a\' ["a.example.com/x" "b.example.com/x"] map[a:one b:two b64:aGVsbG8= num:5] [%!d(string=a.example.com/x) %!d(string=b.example.com/x)]',
      },
    ],
    ['{{.metadata.name | eq "gt"}} {{"a" | or "" }}', { status: 0, text: 'false a' }],
    ['{{$.metadata.name}} {{$x := .}}{{$x.metadata.name}}', { status: 0, text: 'web web' }],
    [
      '{{define "a"}}{{template "b" .}}{{end}}{{define "b"}}{{.kind}}{{end}}{{template "a" .}}',
      { status: 0, text: 'ConfigMap' },
    ],
    [
      '{{break}}',
      {
        status: 1,
        text: 'error: error parsing template {{break}}, template: output:1: {{break}} outside {{range}}\n',
      },
    ],
    ['}} plain { {{"{{"}} ', { status: 0, text: '}} plain { {{ ' }],
    [
      '{{slice .metadata.finalizers 1}} {{slice .kind 1}} {{slice .kind 5 2}}',
      {
        status: 1,
        text: 'error: error executing template "{{slice .metadata.finalizers 1}} {{slice .kind 1}} {{slice .kind 5 2}}": template: output:1:53: executing "output" at <slice .kind 5 2>: error calling slice: invalid slice index: 5 > 2\n',
      },
    ],
    [
      '{{"unterminated}}',
      {
        status: 1,
        text: 'error: error parsing template {{"unterminated}}, template: output:1: unterminated quoted string\n',
      },
    ],
    [
      '{{if}}x{{end}}',
      {
        status: 1,
        text: 'error: error parsing template {{if}}x{{end}}, template: output:1: missing value for if\n',
      },
    ],
    [
      '{{range}}x{{end}}',
      {
        status: 1,
        text: 'error: error parsing template {{range}}x{{end}}, template: output:1: missing value for range\n',
      },
    ],
    [
      '{{ .metadata.name|printf "%s" }}{{(.kind)}}{{ ( .kind ) }}',
      { status: 0, text: 'webConfigMapConfigMap' },
    ],
    [
      '{{, }}',
      {
        status: 1,
        text: 'error: error parsing template {{, }}, template: output:1: unexpected "," in command\n',
      },
    ],
    [
      '{{.metadata.name.}}',
      {
        status: 1,
        text: 'error: error parsing template {{.metadata.name.}}, template: output:1: unexpected <.> in operand\n',
      },
    ],
    [
      '{{&}}',
      {
        status: 1,
        text: 'error: error parsing template {{&}}, template: output:1: unexpected "&" in command\n',
      },
    ],
    [
      '{{.data.num | lt "1"}} {{lt "a" "b"}} {{lt 1 "b"}}',
      {
        status: 1,
        text: 'error: error executing template "{{.data.num | lt \\"1\\"}} {{lt \\"a\\" \\"b\\"}} {{lt 1 \\"b\\"}}": template: output:1:40: executing "output" at <lt 1 "b">: error calling lt: incompatible types for comparison\n',
      },
    ],
  ];
