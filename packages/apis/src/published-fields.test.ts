import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldDifferences, publishedFields } from './testing/published-fields.ts';

/** Deliberate differences, with the releases that have them. */
const deliberate: readonly {
  readonly difference: RegExp;
  readonly releases: RegExp;
  readonly reason: string;
}[] = [
  {
    difference:
      /^(batch\.v2alpha1\.JobTemplate|batch\.v1beta1\.JobTemplate|meta\.v1\.Table) is not published$/,
    releases: /./,
    reason: 'kinds without Protobuf messages, or only of releases before 1.24',
  },
  {
    difference:
      /^admissionregistration\.v1(alpha1|beta1)?\.(Validating|Mutating)AdmissionPolicy(Binding)? is not published$/,
    releases: /1\.(2\d|3[0-5])/,
    reason: 'policies are served on request in every release',
  },
  {
    difference: /^storagemigration\.v1(alpha1|beta1)\.StorageVersionMigration is not published$/,
    releases: /1\.(2\d|3[0-4])/,
    reason: 'migrations are served in every release',
  },
  {
    difference:
      /^apiextensions\.v1\.(CustomResourceDefinitionVersion\.selectableFields=9|ValidationRule\.\w+=[3-6]) is not published$/,
    releases: /1\.2\d/,
    reason: 'definitions have these rules and fields in every release',
  },
  {
    difference: /^admissionregistration\.v1alpha1\.\w+\.\w+=\d is not published$/,
    releases: /1\.2[67]/,
    reason: 'the first alpha version of policies has the fields of its last one',
  },
  {
    difference:
      /^certificates\.v1beta1\.PodCertificateRequestSpec\.(pkixPublicKey|proofOfPossession)=\d+ bytes is missing$/,
    releases: /1\.37/,
    reason: 'all versions of this release have a signing request',
  },
  {
    difference: /^resource\.v1alpha3\.DeviceRequest\.adminAccess=6 bool is missing$/,
    releases: /1\.31/,
    reason: 'requests for administrative access need a feature gate, which this release does not have',
  },
  {
    difference: /^admissionregistration\.v1\w*\.Mutating\w+\.reinvocationPolicy=\d+ lists no values, /,
    releases: /1\.34/,
    reason: 'this release leaves out values that those before and after it list',
  },
  {
    difference: /^(batch\.v1beta1\.CronJobSpec|discovery\.v1beta1\.EndpointSlice)\.\w+=\d lists no values, /,
    releases: /1\.24/,
    reason: 'beta versions have the values of v1',
  },
];

const table = publishedFields();
const used = new Set<string>();

describe('fields of kinds', () => {
  for (const release of Object.keys(table.modules))
    it(`kinds have the fields that release ${release} publishes, with their numbers, types and listed values`, () => {
      const rest = fieldDifferences(table, release).filter((found) => {
        const row = deliberate.find(
          ({ difference, releases }) => difference.test(found) && releases.test(release),
        );
        if (row !== undefined) used.add(row.reason);
        return row === undefined;
      });
      assert.deepEqual(rest, []);
    });

  it('every deliberate difference of fields exists in a release', () => {
    assert.deepEqual(
      deliberate.filter(({ reason }) => !used.has(reason)),
      [],
    );
  });
});
