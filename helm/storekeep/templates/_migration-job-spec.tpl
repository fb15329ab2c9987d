{{/* The spec of the migrations Job. Its name contains a hash of this. */}}
{{- define "storekeep.migrationJobSpec" -}}
{{- $root := . -}}
{{- $admin := include "storekeep.migrationSource" (dict "root" . "name" "" "setting" "DATABASE_ADMIN_URL") | fromJson -}}
backoffLimit: {{ .Values.migrations.backoffLimit }}
activeDeadlineSeconds: {{ .Values.migrations.activeDeadlineSeconds }}
{{- if and (not .Values.migrations.useHelmHooks) (regexMatch "^[0-9]" (toString .Values.migrations.ttlSecondsAfterFinished)) }}
ttlSecondsAfterFinished: {{ .Values.migrations.ttlSecondsAfterFinished | int64 }}
{{- end }}
template:
  metadata:
    labels:
      {{- include "storekeep.labels" (dict "root" . "name" "migrations" "extra" .Values.migrations.podLabels) | nindent 6 }}
    {{- with .Values.migrations.podAnnotations }}
    annotations:
      {{- toYaml . | nindent 6 }}
    {{- end }}
  spec:
    # Never: a retry is a new pod, so the logs of failed pods are kept. Migrations that were applied are skipped.
    restartPolicy: Never
    {{- with include "storekeep.migrationServiceAccount" . }}
    serviceAccountName: {{ . }}
    {{- end }}
    {{- include "storekeep.podSecurity" . | nindent 4 }}
    {{- include "storekeep.imagePullSecrets" . | nindent 4 }}
    {{- with include "storekeep.placement" (set (deepCopy .Values.defaults) "nodeSelector" (.Values.migrations.nodeSelector | default .Values.defaults.nodeSelector)) }}
    {{- . | nindent 4 }}
    {{- end }}
    # One container for each service, which receives only the credentials of that service's role.
    containers:
      {{- range $name := include "storekeep.serviceNames" . | fromJsonArray }}
      {{- $own := include "storekeep.migrationSource" (dict "root" $root "name" $name "setting" "DATABASE_URL") | fromJson }}
      {{- $direct := include "storekeep.migrationSource" (dict "root" $root "name" $name "setting" "MIGRATIONS_DATABASE_URL") | fromJson }}
      - name: {{ $name }}
        image: {{ include "storekeep.componentImage" (dict "root" $root "name" $name) | quote }}
        imagePullPolicy: {{ $root.Values.image.pullPolicy }}
        command: [node, services/{{ $name }}/src/migrate.ts]
        env:
          - name: LOG_LEVEL
            value: {{ $root.Values.serviceSettings.LOG_LEVEL }}
          - name: CELL
            value: {{ $root.Values.cell | toString | quote }}
          {{- include "storekeep.settingEnv" (dict "setting" "DATABASE_URL" "source" $own) | nindent 10 }}
          {{- if ne $direct.from "missing" }}
          {{- include "storekeep.settingEnv" (dict "setting" "MIGRATIONS_DATABASE_URL" "source" $direct "isOptional" true) | nindent 10 }}
          {{- end }}
          {{- if ne $admin.from "missing" }}
          {{- include "storekeep.settingEnv" (dict "setting" "DATABASE_ADMIN_URL" "source" $admin) | nindent 10 }}
          {{- end }}
          {{- with $root.Values.defaults.extraEnv }}
          {{- toYaml . | nindent 10 }}
          {{- end }}
        {{- include "storekeep.containerSecurity" $root | nindent 8 }}
        resources:
          {{- toYaml $root.Values.migrations.resources | nindent 10 }}
        volumeMounts:
          - name: tmp
            mountPath: /tmp
          {{- with $root.Values.defaults.extraVolumeMounts }}
          {{- toYaml . | nindent 10 }}
          {{- end }}
      {{- end }}
    volumes:
      - name: tmp
        emptyDir:
          sizeLimit: 64Mi
      {{- /* For example the CA of a Postgres that is reached over TLS. */}}
      {{- with .Values.defaults.extraVolumes }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
{{- end -}}
