import type { Schema } from './declare.ts';

/** A schema with every kind of property that expressions see. */
export const schema: Schema = {
  type: 'object',
  properties: {
    name: {
      type: 'string',
      maxLength: 64,
    },
    text: {
      type: 'string',
    },
    minReplicas: {
      type: 'integer',
    },
    maxReplicas: {
      type: 'integer',
    },
    ratio: {
      type: 'number',
    },
    on: {
      type: 'boolean',
    },
    list: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: {
            type: 'string',
            maxLength: 30,
          },
          port: {
            type: 'integer',
          },
          tags: {
            type: 'array',
            items: {
              type: 'string',
            },
          },
        },
      },
    },
    strings: {
      type: 'array',
      maxItems: 10,
      items: {
        type: 'string',
        maxLength: 20,
      },
    },
    ints: {
      type: 'array',
      items: {
        type: 'integer',
      },
    },
    doubles: {
      type: 'array',
      maxItems: 5,
      items: {
        type: 'number',
      },
    },
    map: {
      type: 'object',
      maxProperties: 12,
      additionalProperties: {
        type: 'string',
        maxLength: 40,
      },
    },
    intmap: {
      type: 'object',
      additionalProperties: {
        type: 'integer',
      },
    },
    nested: {
      type: 'object',
      properties: {
        a: {
          type: 'object',
          properties: {
            b: {
              type: 'string',
            },
            c: {
              type: 'integer',
            },
          },
        },
      },
    },
    when: {
      type: 'string',
      format: 'date-time',
    },
    day: {
      type: 'string',
      format: 'date',
    },
    wait: {
      type: 'string',
      format: 'duration',
    },
    data: {
      type: 'string',
      format: 'byte',
      maxLength: 100,
    },
    port: {
      'x-kubernetes-int-or-string': true,
    },
    mode: {
      type: 'string',
      enum: ['Auto', 'Manual'],
    },
    'foo-bar': {
      type: 'string',
    },
    namespace: {
      type: 'string',
    },
    'a.b/c': {
      type: 'integer',
    },
    u__v: {
      type: 'integer',
    },
    set: {
      type: 'array',
      items: {
        type: 'string',
      },
      'x-kubernetes-list-type': 'set',
    },
    maplist: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: {
        type: 'object',
        properties: {
          k: {
            type: 'string',
          },
          v: {
            type: 'integer',
          },
        },
      },
    },
    matrix: {
      type: 'array',
      maxItems: 4,
      items: {
        type: 'array',
        maxItems: 3,
        items: {
          type: 'integer',
        },
      },
    },
  },
};

/** An object of that schema. */
export const self: Readonly<Record<string, unknown>> = {
  name: 'héllo-wörld',
  text: 'lorem ipsum dolor sit amet',
  minReplicas: 2,
  maxReplicas: 5,
  ratio: 0.5,
  on: true,
  list: [
    {
      name: 'a1',
      port: 80,
      tags: ['x', 'y'],
    },
    {
      name: 'a2',
      port: 443,
    },
    {
      name: 'b3',
      port: 8080,
      tags: [],
    },
  ],
  strings: ['one', 'two', 'three'],
  ints: [3, 1, 2],
  doubles: [1.5, 2],
  map: {
    k1: 'v1',
    k2: 'v2',
    key3: 'value3',
  },
  intmap: {
    a: 1,
    b: 2,
  },
  nested: {
    a: {
      b: 'x',
      c: 7,
    },
  },
  when: '2024-05-06T07:08:09Z',
  day: '2024-05-06',
  wait: '1h30m',
  data: 'aGVsbG8=',
  port: '50%',
  mode: 'Auto',
  'foo-bar': 'fb',
  namespace: 'ns',
  'a.b/c': 4,
  u__v: 9,
  set: ['p', 'q'],
  maplist: [
    {
      k: 'a',
      v: 1,
    },
    {
      k: 'b',
      v: 2,
    },
  ],
  matrix: [[1, 2], [3]],
};
