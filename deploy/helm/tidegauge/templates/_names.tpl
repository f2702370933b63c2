{{- define "tidegauge.selector" -}}
app.kubernetes.io/name: tidegauge
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
{{- define "tidegauge.labels" -}}
{{ include "tidegauge.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}
