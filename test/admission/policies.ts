import { namesFor } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import type { ApiClient, ApiResponse } from '@orch/testkit';
import { expectCode } from '../api/fixture.ts';

const { groups } = namesFor('orch');
const apiVersion = `${groups.admissionregistration}/v1`;
export const POLICIES = `/apis/${apiVersion}/validatingadmissionpolicies`;
export const BINDINGS = `/apis/${apiVersion}/validatingadmissionpolicybindings`;

/** Arguments of servers that serve policies. */
export const servesPolicies = '--runtime-config=api/all=true';

const rule = {
  operations: ['CREATE', 'UPDATE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
};

/** A policy about config maps with a label: objects of different tests do not meet the policies of others. */
export const policy = (name: string, spec: object = {}): object => ({
  apiVersion,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    matchConstraints: { resourceRules: [rule], objectSelector: { matchLabels: { test: name } } },
    ...spec,
  },
});

/** Matches objects with the label of a test, for other resources or operations. */
export const constraintsOf = (name: string, differs: object): { readonly matchConstraints: object } => ({
  matchConstraints: {
    resourceRules: [{ ...rule, ...differs }],
    objectSelector: { matchLabels: { test: name } },
  },
});

export const binding = (name: string, spec: object = {}): object => ({
  apiVersion,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: name, validationActions: ['Deny'], ...spec },
});

/** Creates a policy and its binding. */
export async function bind(client: ApiClient, name: string, spec: object, of: object = {}): Promise<void> {
  expectCode(201, await client.post(POLICIES, policy(name, spec)));
  expectCode(201, await client.post(BINDINGS, binding(name, of)));
}

/** Waits until a server refuses a write: it has then seen the policy. */
export const refusedBy = (write: () => Promise<ApiResponse>): Promise<ApiResponse> =>
  eventually(write, ({ status }) => status === 422);
