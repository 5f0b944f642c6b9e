/** The module that holds the reference, and its two versions: `1.36.3` is 0.36.3 for the modules staged in it. */
export const referenceModule = 'k8s.io/kubernetes';
export const referencePackage = `${referenceModule}/cmd/kube-apiserver`;

/**
 * A module that requires the reference at a version. The reference replaces its staged modules by folders, which only its
 * repository has; here their published versions replace them. `referenceFile` is the `go.mod` of the reference.
 */
export function moduleFile(version: string, referenceFile: string): string {
  const lines = referenceFile.split('\n');
  const goVersion = lines.find((line) => line.startsWith('go ')) ?? 'go 1.16';
  const replacements = lines
    .filter((line) => line.includes(' => '))
    .map((line) => line.trim().replace(/^replace\s+/, ''))
    .map((line) => line.replace(/^(\S+) => \.\/staging\/\S+$/, `$1 => $1 v${stagedVersion(version)}`))
    .filter((line) => !line.includes(' => ./'));
  return [
    'module reference',
    goVersion,
    `require ${referenceModule} v${version}`,
    'replace (',
    ...[...new Set(replacements)].map((line) => `\t${line}`),
    ')',
    '',
  ].join('\n');
}

/** A Go file that makes the package a dependency of the module. */
export const importsFile = `package reference\n\nimport _ "${referencePackage}/app"\n`;

const stagedVersion = (version: string): string => version.replace(/^1\./, '0.');

/** The last patch of each release that gets no further one. Proxies have these versions, but do not list all of them. */
const lastPatches: Readonly<Record<string, number>> = {
  '1.24': 17,
  '1.25': 16,
  '1.26': 15,
  '1.27': 16,
  '1.28': 15,
  '1.29': 15,
  '1.30': 14,
};

/** The newest patch release of a release, of versions as Go lists them and ended releases; pre-releases do not count. */
export function newestPatch(release: string, versions: readonly string[]): string | undefined {
  const last = lastPatches[release];
  const listed = versions
    .map((version) => /^v(\d+\.\d+)\.(\d+)$/.exec(version))
    .filter((match) => match?.[1] === release)
    .map((match) => Number(match?.[2]));
  const patches = last === undefined ? listed : [...listed, last];
  return patches.length === 0 ? undefined : `${release}.${Math.max(...patches)}`;
}
