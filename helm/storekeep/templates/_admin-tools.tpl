{{/* The services that the admin tools call, as a JSON array. */}}
{{- define "storekeep.adminToolsCalls" -}}
{{- (.Files.Get "files/services.yaml" | fromYaml).adminTools.calls | toJson -}}
{{- end -}}

{{/* The environment variables of the admin CLI. */}}
{{- define "storekeep.adminToolsEnv" -}}
{{- $root := . -}}
{{- $cell := toString .Values.cell }}
- name: CELLS
  value: {{ $cell | quote }}
{{- range include "storekeep.adminToolsCalls" . | fromJsonArray }}
- name: {{ include "storekeep.cellAddressSetting" (dict "cell" $cell "name" .) }}
  value: {{ include "storekeep.address" (dict "root" $root "name" .) }}
{{- end }}
{{- if not .Values.tls.enabled }}
{{- $source := include "storekeep.callKeysSource" (dict "root" . "name" "admin-tools") | fromJson }}
- name: CALL_KEYS
  valueFrom:
    secretKeyRef:
      name: {{ $source.secret }}
      key: {{ $source.key }}
{{- end }}
{{- range $setting, $value := include "storekeep.tlsSettings" (dict "root" $root "name" "admin-tools") | fromYaml }}
- name: {{ $setting }}
  value: {{ $value }}
{{- end }}
{{- end -}}
