import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { metricsFormat } from './metrics-format.ts';

describe('format of metrics', () => {
  const cases: readonly (readonly [accept: string | undefined, format: 'text' | 'openMetrics'])[] = [
    [undefined, 'text'],
    ['*/*', 'text'],
    ['text/plain;version=0.0.4', 'text'],
    [
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      'openMetrics',
    ],
    ['application/openmetrics-text; version=1.0.0', 'openMetrics'],
    ['APPLICATION/OPENMETRICS-TEXT', 'openMetrics'],
    ['application/openmetrics-text;version=0.0.1', 'text'],
    ['application/openmetrics-text;version=1.0.0;q=0.2,text/plain', 'text'],
    ['application/openmetrics-text;q=0', 'text'],
    ['application/openmetrics-text;q=nonsense', 'text'],
    [',;=,application/openmetrics-text;', 'openMetrics'],
  ];
  for (const [accept, format] of cases)
    it(`a client that accepts ${accept ?? 'anything'} receives ${format}`, () =>
      assert.equal(metricsFormat(accept), format));
});
