import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failureOfExpression, refusalOf, valueOfExpression } from '../testing/evaluate.ts';

describe('message literals', () => {
  for (const [expression, value] of [
    ["google.protobuf.Timestamp{seconds: 1, nanos: 5} == timestamp('1970-01-01T00:00:01.000000005Z')", true],
    ["google.protobuf.Timestamp{nanos: -1} == timestamp('1969-12-31T23:59:59.999999999Z')", true],
    ["google.protobuf.Duration{seconds: -1, nanos: -500000000} == duration('-1.5s')", true],
    [
      'google.protobuf.Duration{seconds: 99999999999999} == google.protobuf.Duration{seconds: 88888888888888}',
      true,
    ],
    ['google.protobuf.Int32Value{} + 1 == 1', true],
    ['google.protobuf.FloatValue{value: 0.1} == 0.1', false],
    ["google.protobuf.Struct{fields: {'a': google.protobuf.Value{bool_value: true}}}.a == true", true],
    ['google.protobuf.Value{} == null', true],
    // The reference chooses one of the two at random.
    ["google.protobuf.Value{bool_value: true, string_value: 'x'} == 'x'", true],
    ['google.protobuf.ListValue{values: [1.0, 2.0]}.size() == 2', true],
    ['google.protobuf.Empty{} == google.protobuf.Empty{}', true],
  ] as const)
    it(`the value of ${expression} is ${value}`, () => assert.equal(valueOfExpression(expression), value));

  for (const expression of [
    'google.protobuf.Timestamp{seconds: 253402300800}',
    'google.protobuf.Timestamp{nanos: 2147483648}',
    'google.protobuf.Int32Value{value: 2147483648}',
    'google.protobuf.UInt32Value{value: 4294967296u}',
  ])
    it(`the field of ${expression} is beyond its range`, () => {
      assert.match(failureOfExpression(expression), /overflow/);
    });

  for (const [expression, message] of [
    ['google.protobuf.Timestamp{minutes: 1}', /undefined field 'minutes'/],
    ['google.protobuf.Duration{seconds: 1.0}', /expected type of field 'seconds' is 'int'/],
    ['google.protobuf.Any{}', /undeclared reference to 'google.protobuf.Any'/],
  ] as const)
    it(`the literal ${expression} does not check`, () => assert.match(refusalOf(expression), message));
});
