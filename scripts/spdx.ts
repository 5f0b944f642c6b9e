import type { BundledPackage } from './bundled-packages.ts';

/** The program that a bill of materials describes. */
export interface Described {
  readonly version: string;
  /** Commit that it was built from; empty when it is not known. */
  readonly commit: string;
  /** RFC 3339 time of that commit; empty when it is not known. */
  readonly date: string;
}

/**
 * A bill of materials (SPDX 2.3, JSON) of the bundled programs. It depends on its input only: two builds of one commit have the
 * same.
 */
export function spdxDocument(of: Described, bundled: readonly BundledPackage[]): unknown {
  const program = spdxPackage({ name: 'orch', version: of.version, license: 'Apache-2.0' }, 'generic');
  const contained = bundled.map((each) => spdxPackage(each, 'npm'));
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `orch-${of.version}`,
    documentNamespace: `urn:orch:sbom:${of.version}:${of.commit === '' ? 'unknown' : of.commit}`,
    creationInfo: { created: utcSeconds(of.date), creators: ['Tool: orch scripts/build.ts'] },
    packages: [program, ...contained],
    relationships: [
      relationship('SPDXRef-DOCUMENT', 'DESCRIBES', program.SPDXID),
      ...contained.map(({ SPDXID }) => relationship(program.SPDXID, 'CONTAINS', SPDXID)),
    ],
  };
}

const utcSeconds = (date: string): string =>
  new Date(date === '' ? 0 : date).toISOString().replace(/\.\d+Z$/, 'Z');

type Named = Omit<BundledPackage, 'licenseText'>;

function spdxPackage({ name, version, license }: Named, type: 'generic' | 'npm') {
  const purl = `pkg:${type}/${name.replace('@', '%40')}@${version}`;
  return {
    SPDXID: `SPDXRef-Package-${name.replace(/[^A-Za-z0-9.]+/g, '-')}-${version}`,
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: license,
    licenseDeclared: license,
    copyrightText: 'NOASSERTION',
    externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }],
  };
}

const relationship = (spdxElementId: string, relationshipType: string, relatedSpdxElement: string) => ({
  spdxElementId,
  relationshipType,
  relatedSpdxElement,
});
