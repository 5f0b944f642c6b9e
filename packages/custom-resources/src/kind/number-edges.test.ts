import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { numberFromText } from '@orch/machinery/json';
import type { Answered } from '@orch/registry/testing';
import {
  crontab,
  crontabs,
  DEFINITIONS,
  definition,
  schemaOf,
  v1,
  withCronTabs,
} from '../testing/crontabs.ts';
import { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const { preserveUnknownFields } = namesFor('orch').schemaExtensions;
const open = { type: 'object', [preserveUnknownFields]: true };
const fields = {
  cronSpec: { type: 'string' },
  whole: { type: 'integer' },
  small: { type: 'integer', format: 'int32' },
  large: { type: 'integer', format: 'int64' },
  number: { type: 'number' },
  free: open,
  either: { [namesFor('orch').schemaExtensions.intOrString]: true },
};
const schema = schemaOf({ spec: { type: 'object', properties: fields }, status: open });
const withNumbers = () => withCronTabs({}, [{ ...v1, schema, subresources: { status: {} } }]);

const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';

/** A number that is written as `text`, regardless of its value. */
const number = (text: string): unknown =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);

type Write = (api: CustomResourcesFixture, spec: object) => Promise<Answered>;

const writes: Readonly<Record<string, Write>> = {
  create: (api, spec) => api.post(crontabs(), { ...crontab('b'), spec }),
  'dry run': (api, spec) => api.post(`${crontabs()}?dryRun=All`, { ...crontab('b'), spec }),
  update: async (api, spec) => {
    const { metadata } = (await api.get(crontabs('a'))).json;
    return api.send('PUT', crontabs('a'), { body: { ...crontab('a'), metadata, spec } });
  },
  'merge patch': (api, spec) => api.send('PATCH', crontabs('a'), { body: { spec }, contentType: MERGE }),
  'JSON patch': (api, spec) =>
    api.send('PATCH', crontabs('a'), {
      body: [{ op: 'add', path: '/spec', value: spec }],
      contentType: JSON_PATCH,
    }),
};

const isRefused = ({ status, text }: Answered, code: number, pattern: RegExp, title: string): void => {
  assert.equal(status, code, `${title}: ${text}`);
  assert.match(text, pattern, title);
};

describe('numbers that other clients cannot read', () => {
  for (const [title, write] of Object.entries(writes)) {
    for (const text of ['1e400', '-1e400', `${'9'.repeat(400)}`, '1.5e+309'])
      it(`a ${title} with ${text.slice(0, 10)} is refused with the path of the field, and stores nothing`, async () => {
        await using api = await withNumbers();
        await api.post(crontabs(), crontab('a'));
        const before = await api.get(crontabs());
        for (const [field, value] of [
          ['whole', number(text)],
          ['number', number(text)],
          ['free', { list: [1, { x: number(text) }] }],
          ['either', number(text)],
        ] as const) {
          const answer = await write(api, { cronSpec: '*', [field]: value });
          const path = field === 'free' ? String.raw`spec\.free\.list\[1\]\.x` : `spec\\.${field}`;
          const where = title === 'JSON patch' ? path.replace('spec', String.raw`\[0\]\.value`) : path;
          isRefused(answer, 400, new RegExp(`${where}: the number .* is out of the range`), field);
        }
        assert.equal((await api.get(crontabs())).text, before.text);
      });

    it(`a ${title} with a fraction in an integer field that a double cannot hold is refused with 422`, async () => {
      await using api = await withNumbers();
      await api.post(crontabs(), crontab('a'));
      for (const text of ['9007199254740993.0', '1.00000000000000000001', '9223372036854775808', '1e19'])
        for (const field of ['whole', 'small', 'large']) {
          const answer = await write(api, { cronSpec: '*', [field]: number(text) });
          isRefused(answer, 422, new RegExp(`spec.${field}`), text);
        }
    });

    it(`a ${title} with a number at the edge of 64 bits, a whole fraction or an exponent is accepted`, async () => {
      for (const [text, stored] of [
        ['9223372036854775807', '9223372036854775807'],
        ['-9223372036854775808', '-9223372036854775808'],
        ['1.0', '1'],
        ['1E+2', '100'],
        ['-0', '0'],
        ['-0.0', '0'],
      ] as const) {
        await using api = await withNumbers();
        await api.post(crontabs(), crontab('a'));
        const answer = await write(api, { cronSpec: '*', whole: number(text) });
        assert.ok(answer.status < 300, answer.text);
        assert.match(answer.text, new RegExp(`"whole":${stored}[,}]`));
      }
    });
  }

  it('an apply with 1e400 in JSON reads it as YAML does: as a string, which a number field refuses', async () => {
    await using api = await withNumbers();
    const answer = await api.send('PATCH', `${crontabs('a')}?fieldManager=m`, {
      body: { ...crontab('a'), spec: { cronSpec: '*', number: number('1e400') } },
      contentType: APPLY,
    });
    assert.ok(answer.status === 400 || answer.status === 422, answer.text);
    assert.match(answer.text, /spec\.number/);
  });

  it('writes of /status with 1e400 are refused', async () => {
    await using api = await withNumbers();
    await api.post(crontabs(), crontab('a'));
    const path = crontabs('a', 'v1', '/status');
    const status = { size: number('1e400') };
    const put = await api.send('PUT', path, { body: { ...crontab('a'), status } });
    isRefused(put, 400, /status\.size: the number 1e400 is out of the range/, 'update');
    const patch = await api.send('PATCH', path, { body: { status }, contentType: MERGE });
    isRefused(patch, 400, /status\.size: the number 1e400 is out of the range/, 'patch');
  });

  it('a default with 1e400 in a definition is refused', async () => {
    await using api = await CustomResourcesFixture.open();
    const spec = { type: 'object', properties: { n: { type: 'number', default: number('1e400') } } };
    const answer = await api.post(
      DEFINITIONS,
      definition([{ ...v1, subresources: {}, schema: schemaOf({ spec }) }]),
    );
    isRefused(answer, 400, /properties\.n\.default: the number 1e400/, 'default');
  });

  it('free content of built-in kinds with 1e400 is refused', async () => {
    await using api = await CustomResourcesFixture.open();
    const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
    const answer = await api.post(revisions, {
      metadata: { name: 'r' },
      revision: 1,
      data: { spec: { x: number('1e400') } },
    });
    isRefused(answer, 400, /data\.spec\.x: the number 1e400 is out of the range/, 'data');
  });

  it('a number is exact up to 1e308, also where it cannot be whole', async () => {
    await using api = await withNumbers();
    const free = {
      big: number('1e308'),
      tiny: number('1e-400'),
      long: number('0.1000000000000000055511151231257827'),
    };
    const answer = await api.post(crontabs(), { ...crontab('a'), spec: { cronSpec: '*', free } });
    assert.equal(answer.status, 201, answer.text);
    assert.match(answer.text, /"big":1e\+?308,"long":0\.1000000000000000055511151231257827,"tiny":1e-400/);
    assert.equal(numberFromText('1e308'), 1e308);
  });
});
