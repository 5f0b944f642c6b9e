{{/* The pods of `orch init`, and their permissions. */}}

{{/* Parameters: the root, the name of the service account, and further flags. */}}
{{- define "orch.initPod" -}}
{{- $root := index . 0 -}}
{{- $certificates := $root.Values.certificates -}}
{{- $name := include "orch.fullname" $root -}}
metadata:
  labels: {{- include "orch.podLabels" (list $root "init" $certificates.job.podLabels) | nindent 4 }}
  {{- with include "orch.annotations" (list $root $certificates.job.podAnnotations) }}{{ . | nindent 2 }}{{ end }}
spec:
  serviceAccountName: {{ index . 1 }}
  restartPolicy: OnFailure
  enableServiceLinks: false
  securityContext: {{- toYaml $root.Values.podSecurityContext | nindent 4 }}
  {{- with include "orch.placement" (list $root $certificates.job) | trim }}{{ . | nindent 2 }}{{ end }}
  containers:
    - name: init
      image: {{ include "orch.image" $root | quote }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      command: [/opt/orch/bin/orch, init]
      args:
        - --as-secrets=cluster
        - "--secrets-namespace={{ $root.Release.Namespace }}"
        - "--secrets-name={{ $name }}"
        - "--naming={{ $root.Values.naming }}"
        - "--server={{ include "orch.server" $root }}"
        - "--service-names={{ $name }}.{{ $root.Release.Namespace }}"
        - "--service-cluster-ip-range={{ $root.Values.apiServer.serviceClusterIPRange }}"
        {{- with $certificates.names }}
        - "--san={{ join "," . }}"
        {{- end }}
        {{- if eq $root.Values.etcd.mode "bundled" }}
        {{- $domains := list }}
        {{- range include "orch.etcdMembers" $root | trim | splitList "\n" }}
        {{- $domains = append $domains (include "orch.etcdDomain" (list $root .)) }}
        {{- end }}
        - "--etcd-san={{ join "," $domains }}"
        {{- end }}
        - "--encryption={{ $certificates.encryption }}"
        - "--renew-before={{ $certificates.renewBefore }}"
        {{- range index . 2 }}
        - {{ . | quote }}
        {{- end }}
        {{- range $certificates.job.extraArgs }}
        - {{ . | quote }}
        {{- end }}
      securityContext: {{- toYaml $root.Values.securityContext | nindent 8 }}
      resources: {{- toYaml $certificates.job.resources | nindent 8 }}
{{- end -}}

{{/* Service account and permissions. Parameters: the root, the name of all three, annotations, and whether it may create Secrets. */}}
{{- define "orch.initAccount" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $labels := include "orch.labels" (list $root "init") -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name }}
  labels: {{- $labels | nindent 4 }}
  {{- with include "orch.annotations" (list $root (merge (dict) (index . 2) $root.Values.certificates.job.serviceAccountAnnotations)) }}{{ . | nindent 2 }}{{ end }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ $name }}
  labels: {{- $labels | nindent 4 }}
  {{- with include "orch.annotations" (list $root (index . 2)) }}{{ . | nindent 2 }}{{ end }}
rules:
  - apiGroups: [""]
    resources: [secrets]
    verbs: [get, update]
    resourceNames: {{- include "orch.initSecrets" $root | trim | splitList "\n" | toYaml | nindent 6 }}
  {{- if index . 3 }}
  # Permissions to create cannot be limited to names.
  - apiGroups: [""]
    resources: [secrets]
    verbs: [create]
  {{- end }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ $name }}
  labels: {{- $labels | nindent 4 }}
  {{- with include "orch.annotations" (list $root (index . 2)) }}{{ . | nindent 2 }}{{ end }}
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: {{ $name }} }
subjects:
  - { kind: ServiceAccount, name: {{ $name }}, namespace: {{ $root.Release.Namespace }} }
{{- end -}}
