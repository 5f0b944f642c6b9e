import { writeCbor } from '@orch/machinery/cbor';
import type { Exchange } from '../exchange.ts';
import { combinations, type RequestCase, sendAll } from './request-case.ts';

const collection = '/api/v1/namespaces/default/configmaps';
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'bodies' }, data: { a: 'b' } };
const text = JSON.stringify(map);
const cbor = writeCbor(map);

/** The message `Unknown` of a ConfigMap with the name `bodies`. */
const protobuf = Buffer.concat([
  Buffer.from([0x6b, 0x38, 0x73, 0x00]),
  Buffer.from([0x0a, 0x0f, 0x0a, 0x02]),
  Buffer.from('v1'),
  Buffer.from([0x12, 0x09]),
  Buffer.from('ConfigMap'),
  Buffer.from([0x12, 0x0a, 0x0a, 0x08, 0x0a, 0x06]),
  Buffer.from('bodies'),
]);

const bodies: Readonly<Record<string, string | Buffer>> = {
  empty: '',
  null: 'null',
  list: '[]',
  number: '1',
  text: '"a"',
  object: '{}',
  json: text,
  'json with spaces': ` \n${text}\n `,
  'json and more': `${text}{}`,
  'json and a bracket': `${text}]`,
  'json without its end': text.slice(0, -2),
  'json with a byte order mark': `\uFEFF${text}`,
  'json with a wrong byte': Buffer.concat([
    Buffer.from(text.slice(0, -4)),
    Buffer.from([0xff, 0x22, 0x7d, 0x7d]),
  ]),
  'json with half a surrogate': text.replace('"b"', '"\\ud800"'),
  'json with a number as text': text.replace('"b"', '1'),
  'json with null as data': text.replace('{"a":"b"}', 'null'),
  'json with a list as data': text.replace('{"a":"b"}', '[]'),
  'json with a null value': text.replace('"b"', 'null'),
  'json with another kind': text.replace('ConfigMap', 'Secret'),
  'json with an unknown kind': text.replace('ConfigMap', 'Foo'),
  'json with another version': text.replace('"v1"', '"v2"'),
  'json with an unknown group': text.replace('"v1"', '"a/v1"'),
  'json with a bad version': text.replace('"v1"', '"a/b/c"'),
  'json without kind': text.replace('"kind":"ConfigMap",', ''),
  'json without version': text.replace('"apiVersion":"v1",', ''),
  'json with kind as a number': text.replace('"ConfigMap"', '1'),
  'json with metadata as text': text.replace('{"name":"bodies"}', '"a"'),
  'json with metadata null': text.replace('{"name":"bodies"}', 'null'),
  'json with fields in upper case': text.replace('"data"', '"DATA"').replace('"metadata"', '"Metadata"'),
  'json with a list kind': '{"apiVersion":"v1","kind":"List","items":[]}',
  'json with its own list kind': '{"apiVersion":"v1","kind":"ConfigMapList","items":[]}',
  'json with other options': '{"apiVersion":"v1","kind":"DeleteOptions"}',
  yaml: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bodies}\ndata: {a: b}\n',
  'yaml with an anchor':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bodies}\ndata: &x {a: b}\nbinaryData: *x\n',
  'yaml with two documents': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bodies}\n---\na: b\n',
  'yaml with a tab': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n\tname: bodies\n',
  'yaml with a number': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bodies}\ndata: {a: 1}\n',
  'yaml with a key that is a number':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bodies}\ndata: {1: b}\n',
  'yaml with yes': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bodies}\nimmutable: yes\n',
  'yaml with a tag': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bodies}\ndata: {a: !!str 1}\n',
  'yaml with a bad tag': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bodies}\ndata: {a: !x 1}\n',
  'yaml with a merge key':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: &m {name: bodies}\ndata: {<<: {a: b}}\n',
  'yaml comment': '# nothing\n',
  cbor,
  'cbor without its end': cbor.subarray(0, -3),
  'cbor and more': Buffer.concat([cbor, Buffer.from([0])]),
  'cbor without its tag': cbor.subarray(3),
  'cbor with a number as data': writeCbor({ ...map, data: { a: 1 } }),
  'cbor with an unknown field': writeCbor({ ...map, foo: 1 }),
  'cbor null': writeCbor(null),
  'cbor list': writeCbor([]),
  protobuf,
  'protobuf without its end': protobuf.subarray(0, -3),
  'protobuf and more': Buffer.concat([protobuf, Buffer.from([0])]),
  'protobuf without its head': protobuf.subarray(4),
  'protobuf head': protobuf.subarray(0, 4),
  'protobuf with an unknown field': Buffer.concat([protobuf, Buffer.from([0x7a, 0x01, 0x61])]),
};

const types = [
  'application/json',
  'application/yaml',
  'application/cbor',
  'application/vnd.kubernetes.protobuf',
  'application/json; charset=utf-8',
  'application/json;stream=watch',
  'application/xml',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/merge-patch+json',
  'APPLICATION/JSON',
  'json',
  '*/*',
  ';',
];
const accepts = [
  'application/json',
  'application/yaml',
  'application/xml',
  '*/*',
  'application/*',
  'text/*',
  'application/json;q=0',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v2;g=meta.k8s.io',
  'application/json;as=Foo;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;stream=watch',
  'application/json;pretty=1',
  ';',
  'x',
  'application/xml, application/json;q=0.1',
];
const modes = ['', 'Strict', 'Warn', 'Ignore', 'strict', 'x'];
const doubtful: Readonly<Record<string, string>> = {
  'a field twice':
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bodies"},"data":{"a":"b"},"data":{"c":"d"}}',
  'a key twice':
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bodies"},"data":{"a":"b","a":"c"}}',
  'a name twice': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"bodies"}}',
  'the kind twice': '{"apiVersion":"v1","kind":"Foo","kind":"ConfigMap","metadata":{"name":"bodies"}}',
  'an unknown field': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bodies"},"foo":1}',
  'an unknown field twice':
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bodies"},"foo":1,"foo":2}',
  'unknown fields inside':
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bodies","foo":{"a":1}},"bar":[1]}',
  'a field in upper case':
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bodies"},"Data":{"a":"b"}}',
  'a field in two cases':
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bodies"},"data":{"a":"b"},"Data":{"a":"c"}}',
  'status of a kind without one':
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bodies"},"status":{}}',
  'both in yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bodies}\nfoo: 1\ndata: {a: b}\ndata: {c: d}\n',
  'a key twice in yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bodies}\ndata:\n  a: b\n  a: c\n',
  'an unknown field in yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bodies, x: y}\nfoo: 1\n',
};

/** Sends bodies of every form, also damaged ones, as every content type; doubtful fields in every mode; and odd types to accept. */
export async function compareBodyRequests(exchange: Exchange): Promise<void> {
  exchange.begin('bodies');
  const created = (name: string, body: string | Buffer, contentType: string): RequestCase => ({
    method: 'POST',
    path: `${collection}?dryRun=All`,
    step: `${name} as ${contentType}`,
    body,
    contentType,
  });
  await sendAll(
    exchange,
    Object.entries(bodies).flatMap(([name, body]) => types.map((type) => created(name, body, type))),
  );
  await sendAll(
    exchange,
    Object.entries(doubtful).flatMap(([name, body]) =>
      modes.map((mode) => ({
        ...created(name, body, body.startsWith('{') ? 'application/json' : 'application/yaml'),
        path: `${collection}?dryRun=All&fieldValidation=${mode}`,
      })),
    ),
  );
  await sendAll(
    exchange,
    combinations([
      ['/api/v1/namespaces/default', '/api/v1/namespaces', '/api/v1/namespaces/none', '/api', '/version'],
      accepts,
    ]).map(([path = '', accept = '']) => ({
      method: 'GET',
      path,
      headers: { accept },
      step: `accepts ${accept}`,
    })),
  );
}
