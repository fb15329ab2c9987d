{{/* What the Job of the migrations is, but for its name, which follows from this. */}}
{{- define "storekeep.migrationJobSpec" -}}
{{- $root := . -}}
{{- $admin := include "storekeep.migrationSource" (dict "root" . "name" "" "setting" "DATABASE_ADMIN_URL") | fromYaml -}}
backoffLimit: {{ .Values.migrations.backoffLimit }}
activeDeadlineSeconds: {{ .Values.migrations.activeDeadlineSeconds }}
{{- if and (not .Values.migrations.useHelmHooks) (regexMatch "^[0-9]" (toString .Values.migrations.ttlSecondsAfterFinished)) }}
ttlSecondsAfterFinished: {{ .Values.migrations.ttlSecondsAfterFinished | int64 }}
{{- end }}
template:
  metadata:
    labels:
      {{- include "storekeep.labels" (dict "root" . "name" "migrations") | nindent 6 }}
    {{- with .Values.migrations.podAnnotations }}
    annotations:
      {{- toYaml . | nindent 6 }}
    {{- end }}
  spec:
    # A part that fails fails the pod, whose logs stay, and the next try is a new pod: what is done already does nothing again.
    restartPolicy: Never
    {{- /* A hook runs before an account that the chart makes is there. */}}
    {{- if not (and .Values.migrations.useHelmHooks .Values.serviceAccount.create) }}
    serviceAccountName: {{ include "storekeep.serviceAccountName" . }}
    {{- end }}
    {{- include "storekeep.podSecurity" . | nindent 4 }}
    {{- include "storekeep.imagePullSecrets" . | nindent 4 }}
    {{- with include "storekeep.placement" .Values.defaults }}
    {{- . | nindent 4 }}
    {{- end }}
    # One container for each service, each with the address of its own role only.
    containers:
      {{- range $name := (include "storekeep.serviceNames" . | fromYaml).names }}
      {{- $own := include "storekeep.migrationSource" (dict "root" $root "name" $name "setting" "DATABASE_URL") | fromYaml }}
      - name: {{ $name }}
        image: {{ include "storekeep.ownImage" (dict "root" $root "name" $name) | quote }}
        imagePullPolicy: {{ $root.Values.image.pullPolicy }}
        command: [node, services/{{ $name }}/src/migrate.ts]
        env:
          - name: LOG_LEVEL
            value: {{ $root.Values.serviceSettings.LOG_LEVEL }}
          - name: DATABASE_URL
            valueFrom:
              secretKeyRef:
                name: {{ $own.secret }}
                key: {{ $own.key }}
          {{- if ne $admin.from "nowhere" }}
          - name: DATABASE_ADMIN_URL
            valueFrom:
              secretKeyRef:
                name: {{ $admin.secret }}
                key: {{ $admin.key }}
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
      {{- /* The authority of a Postgres that is reached over TLS, for one. */}}
      {{- with .Values.defaults.extraVolumes }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
{{- end -}}
