{{/* Objects beside the Deployment of a program. Parameters: the root, the values of the program, the name of its component, and its scrape job. */}}
{{- define "orch.programObjects" -}}
{{- $root := index . 0 -}}
{{- $program := index . 1 -}}
{{- $component := index . 2 -}}
{{- $name := printf "%s-%s" (include "orch.fullname" $root) $component -}}
{{- $labels := include "orch.labels" (list $root $component) -}}
{{- $selector := include "orch.selectorLabels" (list $root $component) -}}
{{- if $program.serviceAccount.create }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "orch.serviceAccountName" . }}
  labels: {{- $labels | nindent 4 }}
  {{- with include "orch.annotations" (list $root $program.serviceAccount.annotations) }}{{ . | nindent 2 }}{{ end }}
automountServiceAccountToken: false
{{- end }}
{{- if $program.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels: {{- $labels | nindent 4 }}
  {{- with include "orch.annotations" (list $root dict) }}{{ . | nindent 2 }}{{ end }}
spec:
  maxUnavailable: {{ $program.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels: {{- $selector | nindent 6 }}
{{- end }}
{{- with $program.files }}
---
apiVersion: v1
kind: Secret
metadata:
  name: {{ $name }}-files
  labels: {{- $labels | nindent 4 }}
  {{- with include "orch.annotations" (list $root dict) }}{{ . | nindent 2 }}{{ end }}
type: Opaque
stringData: {{- toYaml . | nindent 2 }}
{{- end }}
---
# The ops port has no TLS and no credentials, and is therefore not a port of the Service of the API.
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}-ops
  labels:
    orch.ops/job: {{ index . 3 }}
    {{- $labels | nindent 4 }}
  {{- with include "orch.annotations" (list $root dict) }}{{ . | nindent 2 }}{{ end }}
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector: {{- $selector | nindent 4 }}
  ports:
    - { name: ops, port: {{ $program.opsPort }}, targetPort: ops }
{{- end -}}
