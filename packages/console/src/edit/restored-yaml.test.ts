import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { restoredYaml } from './restored-yaml.ts';

const past = `apiVersion: v1
involvedObject:
  uid: other
kind: Event
metadata:
  annotations:
    uid: text
    resourceVersion: text
  deletionTimestamp: "2024-01-01T00:00:00Z"
  name: one
  resourceVersion: "5"
  uid: old
reason: Earlier
`;
const present = `metadata:
  name: one
  resourceVersion: "9"
  uid: new
reason: Now
`;

describe('the text with which a state is restored', () => {
  it('the text has the identity and version of the present object, and everything else as it was', () => {
    assert.equal(
      restoredYaml(past, present),
      `apiVersion: v1
involvedObject:
  uid: other
kind: Event
metadata:
  annotations:
    uid: text
    resourceVersion: text
  name: one
  uid: new
  resourceVersion: "9"
reason: Earlier
`,
    );
  });
});
