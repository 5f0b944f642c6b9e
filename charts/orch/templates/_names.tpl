{{/* Names and labels. */}}

{{- define "orch.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* At most 40 characters, so that names with the longest suffixes are valid. */}}
{{- define "orch.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else -}}
{{- $name := include "orch.name" . -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Parameters: the root and the name of a component. */}}
{{- define "orch.selectorLabels" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ include "orch.name" $root }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* Parameters: the root and the name of a component. */}}
{{- define "orch.labels" -}}
{{- $root := index . 0 -}}
{{- $own := dict
  "app.kubernetes.io/version" ($root.Values.image.tag | default $root.Chart.AppVersion)
  "app.kubernetes.io/managed-by" $root.Release.Service
  "app.kubernetes.io/part-of" (include "orch.name" $root)
  "helm.sh/chart" (printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_") -}}
{{- merge (include "orch.selectorLabels" . | fromYaml) $own $root.Values.commonLabels | toYaml -}}
{{- end -}}

{{/* Labels of pods. Parameters: the root, the name of a component, and further labels. */}}
{{- define "orch.podLabels" -}}
{{- merge (include "orch.selectorLabels" . | fromYaml) (index . 2) (index . 0).Values.commonLabels | toYaml -}}
{{- end -}}

{{/* The member `annotations` of metadata, or nothing. Parameters: the root and annotations. */}}
{{- define "orch.annotations" -}}
{{- with merge (dict) (index . 1) (index . 0).Values.commonAnnotations -}}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "orch.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Name of the service account of a program. Parameters: the root, the values of the program, and the name of its component. */}}
{{- define "orch.serviceAccountName" -}}
{{- $account := (index . 1).serviceAccount -}}
{{- if $account.name -}}
{{ $account.name }}
{{- else if $account.create -}}
{{ include "orch.fullname" (index . 0) }}-{{ index . 2 }}
{{- else -}}
default
{{- end -}}
{{- end -}}

{{/* An address to listen on. Parameters: the root and a port. */}}
{{- define "orch.listenAddress" -}}
{{- $host := (index . 0).Values.bindAddress -}}
{{ ternary (printf "[%s]" $host) $host (contains ":" $host) }}:{{ index . 1 }}
{{- end -}}

{{/* Address of the API in the cluster. */}}
{{- define "orch.server" -}}
{{- default (printf "https://%s.%s.svc:%v" (include "orch.fullname" .) .Release.Namespace .Values.service.port) .Values.certificates.server -}}
{{- end -}}

{{/* Names of the pods of the bundled etcd, one a line. */}}
{{- define "orch.etcdMembers" -}}
{{- $name := printf "%s-etcd" (include "orch.fullname" .) -}}
{{- range $at := until 3 }}
{{ $name }}-{{ $at }}
{{- end }}
{{- end -}}

{{/* Domain of a member of the bundled etcd. Parameters: the root and the name of its pod. */}}
{{- define "orch.etcdDomain" -}}
{{- $root := index . 0 -}}
{{ index . 1 }}.{{ include "orch.fullname" $root }}-etcd.{{ $root.Release.Namespace }}.svc
{{- end -}}
