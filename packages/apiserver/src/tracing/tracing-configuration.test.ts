import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { ConfigFileError } from '@orch/machinery/yaml';
import { readTracingConfiguration } from './tracing-configuration.ts';

const names = namesFor('orch');
const read = (fields: string, version = 'v1beta1') =>
  readTracingConfiguration({
    text: `apiVersion: ${names.apiVersion('apiserverconfig', version)}\nkind: TracingConfiguration\n${fields}`,
    file: 'tracing.yaml',
    names,
  });

describe('tracing configuration file', () => {
  for (const [fields, endpoint, share] of [
    ['', 'localhost:4317', 0],
    [
      'endpoint: collector.example.com:4317\nsamplingRatePerMillion: 1000000',
      'collector.example.com:4317',
      1,
    ],
    ['endpoint: dns:///collector:1\nsamplingRatePerMillion: 100', 'collector:1', 0.0001],
    ['endpoint: "[::1]:4317"', '[::1]:4317', 0],
  ] as const)
    it(`${JSON.stringify(fields)} is read in both versions`, () => {
      for (const version of ['v1alpha1', 'v1beta1'])
        assert.deepEqual(read(fields, version), { endpoint, share });
    });

  for (const [fields, message] of [
    ['samplingRatePerMillion: -1', /samplingRatePerMillion: must be an integer from 0 to 1000000/],
    ['samplingRatePerMillion: 1000001', /samplingRatePerMillion: must be an integer from 0 to 1000000/],
    ['samplingRatePerMillion: 0.5', /samplingRatePerMillion: must be an integer/],
    ['endpoint: https://collector:4317', /endpoint: must be host:port/],
    ['endpoint: unix:///run/otlp.sock', /endpoint: must be host:port/],
    ['endpoint: collector', /endpoint: must be host:port/],
    ['endpoint: collector:99999', /endpoint: must be host:port/],
    ['endpoint: user@collector:4317', /endpoint: must be host:port/],
    ['endpoints: x', /unknown field "endpoints"/],
  ] as const)
    it(`${JSON.stringify(fields)} is refused with its line`, () =>
      assert.throws(
        () => read(fields),
        (error) =>
          error instanceof ConfigFileError && message.test(error.message) && /^line 3/.test(error.message),
      ));

  it('another version is refused', () => assert.throws(() => read('', 'v1'), ConfigFileError));
});
