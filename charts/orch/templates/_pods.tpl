{{/* Parts that the pods of both programs have. Parameters: the root, the values of the program, and the name of its component. */}}

{{/* Metadata of the pods, without annotations of the program. */}}
{{- define "orch.podMetadata" -}}
{{- $root := index . 0 -}}
{{- $program := index . 1 -}}
{{- $scrape := dict -}}
{{- if $root.Values.metrics.scrape -}}
{{- $scrape = dict "prometheus.io/scrape" "true" "prometheus.io/port" ($program.opsPort | toString) "prometheus.io/path" "/metrics" -}}
{{- end -}}
{{- /* Pods with a volume of a node are otherwise not moved when a node is removed. */ -}}
{{- $moved := dict "cluster-autoscaler.kubernetes.io/safe-to-evict" "true" -}}
labels: {{- include "orch.podLabels" (list $root (index . 2) $program.podLabels) | nindent 2 }}
annotations:
  {{- include "orch.checksums" (list $root $program.files) | nindent 2 }}
  {{- merge (dict) $program.podAnnotations $scrape $moved $root.Values.commonAnnotations | toYaml | nindent 2 }}
{{- end -}}

{{/* Everything of the pods but containers and volumes. */}}
{{- define "orch.podSettings" -}}
{{- $root := index . 0 -}}
{{- $program := index . 1 -}}
serviceAccountName: {{ include "orch.serviceAccountName" . }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: {{- toYaml $root.Values.podSecurityContext | nindent 2 }}
{{- include "orch.placement" (list $root $program (include "orch.selectorLabels" (list $root (index . 2)))) }}
{{- if $program.affinity }}
affinity: {{- toYaml $program.affinity | nindent 2 }}
{{- else }}
{{- include "orch.antiAffinity" (list $program.podAntiAffinity (include "orch.selectorLabels" (list $root (index . 2)))) }}
{{- end }}
{{- with $program.topologySpreadConstraints }}
{{- $selector := dict "matchLabels" (include "orch.selectorLabels" (list $root (index $ 2)) | fromYaml) }}
topologySpreadConstraints:
{{- range . }}
  - {{ set (deepCopy .) "labelSelector" (.labelSelector | default $selector) | toYaml | nindent 4 | trim }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Where pods run and who may pull their image. Parameters: the root, and values with nodeSelector, tolerations and priorityClassName. */}}
{{- define "orch.placement" -}}
{{- $values := index . 1 -}}
{{- with (index . 0).Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Parameters: soft, hard or none, and labels of the pods. */}}
{{- define "orch.antiAffinity" -}}
{{- $term := dict "topologyKey" "kubernetes.io/hostname" "labelSelector" (dict "matchLabels" (index . 1 | fromYaml)) }}
{{- if eq (index . 0) "hard" }}
affinity:
  podAntiAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      - {{- toYaml $term | nindent 8 }}
{{- else if eq (index . 0) "soft" }}
affinity:
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm: {{- toYaml $term | nindent 10 }}
{{- end }}
{{- end -}}

{{/* Environment, probes and resources of the container. */}}
{{- define "orch.containerSettings" -}}
{{- $program := index . 1 -}}
image: {{ include "orch.image" (index . 0) | quote }}
imagePullPolicy: {{ (index . 0).Values.image.pullPolicy }}
workingDir: /var/lib/orch
env:
  - { name: TMPDIR, value: /var/lib/orch }
  - { name: POD_IP, valueFrom: { fieldRef: { fieldPath: status.podIP } } }
  {{- with $program.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
startupProbe:
  httpGet: { path: /livez, port: ops }
  {{- toYaml $program.startupProbe | nindent 2 }}
livenessProbe:
  httpGet: { path: /livez, port: ops }
  {{- toYaml $program.livenessProbe | nindent 2 }}
readinessProbe:
  httpGet: { path: /readyz, port: ops }
  {{- toYaml $program.readinessProbe | nindent 2 }}
securityContext: {{- toYaml (index . 0).Values.securityContext | nindent 2 }}
resources: {{- toYaml $program.resources | nindent 2 }}
{{- end -}}

{{- define "orch.mounts" -}}
{{- $program := index . 1 -}}
- { name: work, mountPath: /var/lib/orch }
- { name: pki, mountPath: /etc/orch/pki, readOnly: true }
{{- if $program.files }}
- { name: files, mountPath: /etc/orch/files, readOnly: true }
{{- end }}
{{- with $program.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Further parameter: the sources of /etc/orch/pki. */}}
{{- define "orch.volumes" -}}
{{- $program := index . 1 -}}
- name: work
  emptyDir: { sizeLimit: 256Mi }
- name: pki
  projected:
    defaultMode: 0440
    sources: {{- index . 3 | trim | nindent 6 }}
{{- if $program.files }}
- name: files
  secret:
    secretName: {{ include "orch.fullname" (index . 0) }}-{{ index . 2 }}-files
    defaultMode: 0440
{{- end }}
{{- with $program.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
