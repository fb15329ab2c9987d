{{/* Every invalid combination of values, as a JSON array. */}}
{{- define "storekeep.validationErrors" -}}
{{- if include "storekeep.isUnconfigured" . -}}
{{- list (include "storekeep.firstSteps" .) | toJson -}}
{{- else -}}
{{- concat
  (include "storekeep.cellErrors" . | fromJsonArray)
  (include "storekeep.imageErrors" . | fromJsonArray)
  (include "storekeep.secretErrors" . | fromJsonArray)
  (include "storekeep.componentErrors" . | fromJsonArray)
  (include "storekeep.connectionErrors" . | fromJsonArray)
  (include "storekeep.publicAccessErrors" . | fromJsonArray)
  (include "storekeep.pagesErrors" . | fromJsonArray)
  (include "storekeep.networkErrors" . | fromJsonArray)
  (include "storekeep.metricsErrors" . | fromJsonArray)
  (include "storekeep.migrationErrors" . | fromJsonArray)
  (include "storekeep.telemetryErrors" . | fromJsonArray)
  (include "storekeep.bundledErrors" . | fromJsonArray)
  (include "storekeep.tlsErrors" . | fromJsonArray)
  (include "storekeep.natsErrors" . | fromJsonArray)
  (include "storekeep.extraObjectErrors" . | fromJsonArray) | uniq | toJson -}}
{{- end -}}
{{- end -}}

{{/* "true" if no value says which servers and secrets to use: without this check, that prints an error for every setting. */}}
{{- define "storekeep.isUnconfigured" -}}
{{- $isConfigured := or .Values.publicBaseUrl .Values.existingSecret .Values.generateSecrets -}}
{{- range include "storekeep.secretEntries" . | fromJson -}}
{{- range . -}}
{{- $isConfigured = or $isConfigured .value .existingSecret -}}
{{- end -}}
{{- end -}}
{{- range .Values.bundled -}}
{{- $isConfigured = or $isConfigured .enabled -}}
{{- end -}}
{{- empty $isConfigured | ternary "true" "" -}}
{{- end -}}

{{- define "storekeep.firstSteps" -}}
No server and no secret is configured. For a trial with its own servers, add: --set {{ include "storekeep.trialFlags" . }} For production, set publicBaseUrl, existingSecret and image.registry, as docs/deploying.md describes.
{{- end -}}

{{/* The values of ci/bundled-values.yaml, which is not part of the package. */}}
{{- define "storekeep.trialFlags" -}}
publicBaseUrl=http://localhost:8080,pages.publicBaseUrl=http://localhost:8081,generateSecrets=true,defaults.resources.requests.cpu=50m,migrations.useHelmHooks=false,bundled.postgres.enabled=true,bundled.nats.enabled=true,bundled.redis.enabled=true
{{- end -}}

{{- define "storekeep.imageErrors" -}}
{{- $errors := list -}}
{{- $images := dict "image" .Values.image "global" (dict "registry" .Values.global.imageRegistry) -}}
{{- range $server, $values := .Values.bundled -}}
{{- $_ := set $images (printf "bundled.%s.image" $server) $values.image -}}
{{- end -}}
{{- range $name := append (include "storekeep.componentNames" . | fromJsonArray) "admin-tools" -}}
{{- $path := eq $name "admin-tools" | ternary "adminTools" (include "storekeep.valuesPath" $name) -}}
{{- $_ := set $images (print $path ".image") ((include "storekeep.ownValues" (dict "root" $ "name" $name) | fromJson).image | default dict) -}}
{{- end -}}
{{- range $path, $image := $images -}}
{{- if eq ($image.tag | default "") "latest" -}}
{{- $errors = append $errors (printf "%s.tag must not be latest, which does not identify a version; set a version or a digest." $path) -}}
{{- end -}}
{{- $registry := $image.registry | default "" -}}
{{- if and $registry (not (regexMatch "^[A-Za-z0-9][-A-Za-z0-9.]*(:[0-9]+)?(/[-a-z0-9._]+)*$" $registry)) -}}
{{- $field := eq $path "global" | ternary "global.imageRegistry" (printf "%s.registry" $path) -}}
{{- $host := regexReplaceAll "^[a-z]+://|/+$" $registry "" -}}
{{- $errors = append $errors (printf "%s is %s, which is not a host name with an optional port and path; use one without scheme and final slash, such as %s." $field $registry $host) -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/* Networks and labels in network policies, and labels of all objects. */}}
{{- define "storekeep.networkErrors" -}}
{{- $network := .Values.networkPolicy -}}
{{- $errors := include "storekeep.labelErrors" (dict "path" "commonLabels" "labels" .Values.commonLabels) | fromJsonArray -}}
{{- $peers := dict "gatewayFrom" $network.gatewayFrom "pagesFrom" $network.pagesFrom "metricsFrom" $network.metricsFrom -}}
{{- range $server := list "postgres" "nats" "redis" "collector" "dns" -}}
{{- $_ := set $peers (print $server ".to") (get $network $server).to -}}
{{- end -}}
{{- range $index, $rule := $network.extraEgress -}}
{{- $_ := set $peers (printf "extraEgress[%d].to" $index) ($rule.to | default list) -}}
{{- end -}}
{{- range $field, $list := $peers -}}
{{- $errors = concat $errors (include "storekeep.peerErrors" (dict "path" (print "networkPolicy." $field) "peers" $list) | fromJsonArray) -}}
{{- end -}}
{{- range $index, $range := $network.internet.except -}}
{{- $problem := include "storekeep.cidrProblem" $range -}}
{{- if $problem -}}
{{- $errors = append $errors (printf "networkPolicy.internet.except[%d] is %s, which %s." $index $range $problem) -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/* Objects that the API server would reject before it looks at their fields. */}}
{{- define "storekeep.extraObjectErrors" -}}
{{- $errors := list -}}
{{- range $index, $given := .Values.extraObjects -}}
{{- $text := tpl (kindIs "string" $given | ternary $given (toYaml $given)) $ -}}
{{- range regexSplit "(?m)^---.*$" $text -1 -}}
{{- if regexReplaceAll `(?m)^\s*(#.*)?$` . "" | trim -}}
{{- $object := fromYaml . -}}
{{- $missing := list -}}
{{- range list "apiVersion" "kind" -}}
{{- if not (get $object .) -}}
{{- $missing = append $missing . -}}
{{- end -}}
{{- end -}}
{{- if not (or (dig "metadata" "name" "" $object) (dig "metadata" "generateName" "" $object)) -}}
{{- $missing = append $missing "metadata.name" -}}
{{- end -}}
{{- if $object.Error -}}
{{- $errors = append $errors (printf "extraObjects[%d] is not valid YAML: %s." $index (trunc 100 $object.Error)) -}}
{{- else if $missing -}}
{{- $errors = append $errors (printf "extraObjects[%d] has no %s." $index (join " and no " $missing)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{- define "storekeep.publicAccessErrors" -}}
{{- $errors := list -}}
{{- if and (or .Values.ingress.enabled .Values.httpRoute.enabled) (not .Values.gateway.settings.TRUSTED_PROXIES) -}}
{{- $errors = append $errors "gateway.settings.TRUSTED_PROXIES is empty but an Ingress or HTTPRoute is enabled, so all clients would share one rate limit; set it to the network of the proxy's pods, such as 10.0.0.0/8." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- $errors = append $errors "ingress.enabled is true, but ingress.hosts is empty." -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- $errors = append $errors "httpRoute.enabled is true, but httpRoute.parentRefs is empty." -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.hostnames) -}}
{{- $errors = append $errors "httpRoute.enabled is true, but httpRoute.hostnames is empty." -}}
{{- end -}}
{{- if and .Values.tests.enabled (not .Values.adminTools.enabled) -}}
{{- $errors = append $errors "tests.enabled requires adminTools.enabled, because the test runs the admin CLI; enable adminTools or set tests.enabled to false." -}}
{{- end -}}
{{- if and (not .Values.serviceAccount.create) (not .Values.serviceAccount.name) -}}
{{- $errors = append $errors "serviceAccount.name is required if serviceAccount.create is false." -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{- define "storekeep.migrationErrors" -}}
{{- $errors := list -}}
{{- range $path, $entries := include "storekeep.secretEntries" . | fromJson -}}
{{- $direct := get $entries "MIGRATIONS_DATABASE_URL" | default dict -}}
{{- if and (not $.Values.migrations.enabled) (or $direct.value $direct.existingSecret) -}}
{{- $errors = append $errors (printf "%s.MIGRATIONS_DATABASE_URL is set, but only the migrations Job uses it; set migrations.enabled to true, or remove it." $path) -}}
{{- end -}}
{{- end -}}
{{- range $field := list "podLabels" "nodeSelector" -}}
{{- $labels := dict "path" (print "migrations." $field) "labels" (get $.Values.migrations $field) -}}
{{- $errors = concat $errors (include "storekeep.labelErrors" $labels | fromJsonArray) -}}
{{- end -}}
{{- if and (include "storekeep.runs" (dict "root" . "name" "migrations")) (eq (include "storekeep.migrationServiceAccount" .) (include "storekeep.serviceAccountName" .)) .Values.migrations.serviceAccount.create -}}
{{- $errors = append $errors "migrations.serviceAccount.name is the service account of the pods; choose another name, or set migrations.serviceAccount.create to false." -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/* A Prometheus duration in seconds. */}}
{{- define "storekeep.seconds" -}}
{{- $unit := regexFind "[a-z]+$" . -}}
{{- mulf (trimSuffix $unit . | float64) (get (dict "ms" 0.001 "s" 1 "m" 60 "h" 3600) $unit) -}}
{{- end -}}

{{- define "storekeep.metricsErrors" -}}
{{- $errors := list -}}
{{- $monitor := .Values.metrics.serviceMonitor -}}
{{- if and $monitor.scrapeTimeout (gt (include "storekeep.seconds" (default "0s" $monitor.scrapeTimeout) | float64) (include "storekeep.seconds" $monitor.interval | float64)) -}}
{{- $errors = append $errors (printf "metrics.serviceMonitor.scrapeTimeout is %s, which is longer than the interval of %s; shorten it." $monitor.scrapeTimeout $monitor.interval) -}}
{{- end -}}
{{- range $kind, $values := .Values.metrics -}}
{{- $labels := dict "path" (printf "metrics.%s.labels" $kind) "labels" $values.labels -}}
{{- $errors = concat $errors (include "storekeep.labelErrors" $labels | fromJsonArray) -}}
{{- end -}}
{{- if and .Values.networkPolicy.enabled .Values.metrics.serviceMonitor.enabled (not .Values.networkPolicy.metricsFrom) -}}
{{- $errors = append $errors "metrics.serviceMonitor is enabled, but networkPolicy.metricsFrom is empty, so scrapes would be blocked; add the pods of Prometheus." -}}
{{- end -}}
{{- if and .Values.metrics.prometheusRule.enabled (not .Values.metrics.serviceMonitor.enabled) (not .Values.networkPolicy.metricsFrom) -}}
{{- $errors = append $errors "metrics.prometheusRule is enabled, but nothing scrapes the metrics, so StorekeepProcessMissing would always fire; set metrics.serviceMonitor.enabled, or networkPolicy.metricsFrom if you scrape them another way." -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{- define "storekeep.telemetryErrors" -}}
{{- $errors := list -}}
{{- if .Values.telemetry.otlp.endpoint -}}
{{- if eq (include "storekeep.collectorPort" .) "4317" -}}
{{- $errors = append $errors "telemetry.otlp.endpoint has port 4317, which is OTLP over gRPC; traces are sent over HTTP, usually to port 4318." -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{- define "storekeep.bundledErrors" -}}
{{- $errors := list -}}
{{- $bundled := .Values.bundled -}}
{{- if and $bundled.postgres.enabled .Values.migrations.enabled .Values.migrations.useHelmHooks -}}
{{- $errors = append $errors "bundled.postgres does not exist yet when Helm hooks run; set migrations.useHelmHooks to false." -}}
{{- end -}}
{{- if and $bundled.postgres.enabled (not .Values.migrations.enabled) -}}
{{- $errors = append $errors "bundled.postgres starts empty and only the migrations Job creates its roles; set migrations.enabled to true." -}}
{{- end -}}
{{- range $server, $values := $bundled -}}
{{- $path := printf "bundled.%s" $server -}}
{{- $errors = concat $errors (include "storekeep.resourceErrors" (dict "path" (print $path ".resources") "resources" $values.resources) | fromJsonArray) -}}
{{- if regexMatch "^[0-9.]+m?$" ($values.storage | default "") -}}
{{- $errors = append $errors (printf "%s.storage is %s, which has no unit of size; add one, such as %sGi." $path $values.storage (trimSuffix "m" $values.storage)) -}}
{{- end -}}
{{- end -}}
{{- range $server, $setting := dict "nats" "NATS_URL" "redis" "REDIS_URL" "postgres" "DATABASE_ADMIN_URL" -}}
{{- $entry := get $.Values.secrets $setting | default dict -}}
{{- if and (get $bundled $server).enabled (or $entry.value $entry.existingSecret) -}}
{{- $errors = append $errors (printf "bundled.%s is enabled and secrets.%s refers to another server; remove one of them." $server $setting) -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}
