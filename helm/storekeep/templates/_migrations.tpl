{{/* Marks an object that the migrations need before the release itself is there. Takes root, weight and policy. */}}
{{- define "storekeep.migrationHook" -}}
{{- if .root.Values.migrations.useHelmHooks -}}
annotations:
  helm.sh/hook: pre-install,pre-upgrade
  helm.sh/hook-weight: {{ .weight | quote }}
  helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}
{{- end -}}

{{/*
The name of the Job. A Job cannot change, so where it is no hook there is one per revision, and one per set of images for
tools to which every revision is the first.
*/}}
{{- define "storekeep.migrationJobEnding" -}}
{{- $images := list -}}
{{- range $name := (include "storekeep.serviceNames" . | fromYaml).names -}}
{{- $images = append $images (include "storekeep.ownImage" (dict "root" $ "name" $name)) -}}
{{- end -}}
{{- .Values.migrations.useHelmHooks | ternary "migrations" (printf "migrations-%d-%s" .Release.Revision ($images | join " " | sha256sum | trunc 6)) -}}
{{- end -}}

{{/*
Where the migrations find an address: as a hook they run before the chart's Secret is there and have one of their own.
Takes root, name and setting.
*/}}
{{- define "storekeep.migrationSource" -}}
{{- $source := include "storekeep.secretSource" . | fromYaml -}}
{{- if and (eq $source.from "value") .root.Values.migrations.useHelmHooks -}}
{{- $_ := set $source "secret" (printf "%s-migrations" (include "storekeep.fullname" .root)) -}}
{{- end -}}
{{- toYaml $source -}}
{{- end -}}
