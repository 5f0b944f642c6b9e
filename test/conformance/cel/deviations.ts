import type { SuiteTest } from './suite.ts';

/** Tests of the published suite that this environment fails on purpose. */
export interface Deviation {
  readonly reason: string;
  /** Reports whether a failing test is one of them. */
  readonly covers: (test: SuiteTest) => boolean;
}

const inFiles =
  (...files: readonly string[]) =>
  ({ file }: SuiteTest): boolean =>
    files.includes(file);

const named =
  (...names: readonly string[]) =>
  ({ file, test }: SuiteTest): boolean =>
    names.includes(`${file}/${test.name}`);

const message = /TestAllTypes|google\.protobuf|cel\.expr\.conformance/;

/** Tests whose expression, variables, container or result name a Protobuf message. */
function usesMessages({ test }: SuiteTest): boolean {
  const { expr, container = '' } = test;
  const data = JSON.stringify([test.typeEnv, test.bindings, test.value, test.typedResult]);
  return message.test(expr) || message.test(container) || message.test(data);
}

export const deviations: readonly Deviation[] = [
  {
    reason:
      'extensions that the environment of the API does not have: bindings, blocks, encoders, math, Protobuf',
    covers: inFiles('bindings_ext', 'block_ext', 'encoders_ext', 'math_ext', 'proto2_ext'),
  },
  {
    reason: 'Protobuf messages, wrappers and enumerations: data of the API is JSON with a schema',
    covers: usesMessages,
  },
  {
    reason: 'functions that the suite expects its runner to declare',
    covers: named(
      'type_deduction/function_result_type',
      'type_deduction/multiple_parameters_generality',
      'type_deduction/multiple_parameters_generality_2',
      'type_deduction/multiple_parameters_parameterized_ovl',
      'type_deduction/multiple_parameters_parameterized_ovl_2',
    ),
  },
  {
    reason:
      'a search that begins after the end finds nothing (-1) in the reference API server, and is not an error',
    covers: named('string_ext/indexof_out_of_range', 'string_ext/lastindexof_out_of_range'),
  },
  {
    reason: 'the reference API server refuses IPv6 addresses that contain one of IPv4',
    covers: named('network_ext/ipv4_equals_ipv6', 'network_ext/ipv4_not_equals_ipv6'),
  },
  {
    reason:
      'expressions of the API have no container: in one, its names take precedence over the variables of macros',
    covers: named(
      'namespace/comprehension_shadowing',
      'namespace/comprehension_shadowing_parse_only',
      'namespace/comprehension_shadowing_selector_parse_only',
      'namespace/comprehension_shadowing_namespaced_selector_parse_only',
      'namespace/comprehension_shadowing_nesting',
    ),
  },
  {
    reason:
      'of repeated keys of a map literal the last one counts in the reference API server, and is not an error',
    covers: named('fields/map_value_repeat_key', 'fields/map_value_repeat_key_heterogeneous'),
  },
];

export const deviationOf = (test: SuiteTest): Deviation | undefined =>
  deviations.find(({ covers }) => covers(test));
