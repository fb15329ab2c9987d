{{/* Every invalid combination of values, as a JSON array. */}}
{{- define "storekeep.validationErrors" -}}
{{- $errors := concat
  (include "storekeep.imageErrors" . | fromJsonArray)
  (include "storekeep.secretErrors" . | fromJsonArray)
  (include "storekeep.componentErrors" . | fromJsonArray)
  (include "storekeep.publicAccessErrors" . | fromJsonArray)
  (include "storekeep.pagesErrors" . | fromJsonArray)
  (include "storekeep.telemetryErrors" . | fromJsonArray)
  (include "storekeep.bundledErrors" . | fromJsonArray)
  (include "storekeep.tlsErrors" . | fromJsonArray) -}}
{{- $errors | toJson -}}
{{- end -}}

{{- define "storekeep.imageErrors" -}}
{{- $errors := list -}}
{{- $images := dict "image" .Values.image -}}
{{- range $server, $values := .Values.bundled -}}
{{- $_ := set $images (printf "bundled.%s.image" $server) $values.image -}}
{{- end -}}
{{- range $path, $image := $images -}}
{{- if eq ($image.tag | default "") "latest" -}}
{{- $errors = append $errors (printf "%s.tag must not be latest, which does not identify a version; set a version or a digest." $path) -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{- define "storekeep.secretErrors" -}}
{{- $root := . -}}
{{- $errors := list -}}
{{- $callKeys := include "storekeep.callKeysSource" (dict "root" . "name" "gateway") | fromJson -}}
{{- if and (eq $callKeys.from "missing") (not .Values.tls.enabled) -}}
{{- $errors = append $errors "secrets.CALL_SECRET is missing, without which services cannot tell who calls them: set existingSecret, secrets.CALL_SECRET.value or secrets.CALL_SECRET.existingSecret, or set tls.enabled to true." -}}
{{- end -}}
{{- range $name := include "storekeep.componentNames" . | fromJsonArray -}}
{{- $component := include "storekeep.component" (dict "root" $root "name" $name) | fromJson -}}
{{- $path := include "storekeep.valuesPath" $name -}}
{{- range $setting := without $component.secretSettings "CALL_KEYS" -}}
{{- $source := include "storekeep.secretSource" (dict "root" $root "name" $name "setting" $setting) | fromJson -}}
{{- if eq $source.from "missing" -}}
{{- $valuePath := has $setting (list "NATS_URL" "REDIS_URL") | ternary (printf "secrets.%s" $setting) (printf "%s.secrets.%s" $path $setting) -}}
{{- $errors = append $errors (printf "%s is missing: set existingSecret, %s.value or %s.existingSecret." $valuePath $valuePath $valuePath) -}}
{{- end -}}
{{- end -}}
{{- range $setting, $entry := $component.secrets -}}
{{- if and $entry.value $entry.existingSecret -}}
{{- $errors = append $errors (printf "%s.secrets.%s has both value and existingSecret; remove one of them." $path $setting) -}}
{{- end -}}
{{- if and $entry.key (not $entry.existingSecret) -}}
{{- $errors = append $errors (printf "%s.secrets.%s has a key but no existingSecret; set existingSecret or remove key." $path $setting) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $setting, $entry := .Values.secrets -}}
{{- if and $entry.value $entry.existingSecret -}}
{{- $errors = append $errors (printf "secrets.%s has both value and existingSecret; remove one of them." $setting) -}}
{{- end -}}
{{- if and $entry.key (not $entry.existingSecret) -}}
{{- $errors = append $errors (printf "secrets.%s has a key but no existingSecret; set existingSecret or remove key." $setting) -}}
{{- end -}}
{{- end -}}
{{- $paths := dict "defaults" .Values.defaults "gateway" .Values.gateway "pages" .Values.pages -}}
{{- range $name, $values := .Values.services -}}
{{- $_ := set $paths (printf "services.%s" $name) $values -}}
{{- end -}}
{{- range $path, $values := $paths -}}
{{- range $values.extraEnv -}}
{{- if eq .name "DATABASE_ADMIN_URL" -}}
{{- $errors = append $errors (printf "%s.extraEnv sets DATABASE_ADMIN_URL, which would give administrator access to pods that serve requests; use secrets.DATABASE_ADMIN_URL, which only the migrations Job receives." $path) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.existingSecret .Values.generateSecrets -}}
{{- $errors = append $errors "existingSecret and generateSecrets are mutually exclusive; remove one of them." -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{- define "storekeep.componentErrors" -}}
{{- $root := . -}}
{{- $errors := list -}}
{{- range $name := include "storekeep.componentNames" . | fromJsonArray -}}
{{- $component := include "storekeep.component" (dict "root" $root "name" $name) | fromJson -}}
{{- $path := include "storekeep.valuesPath" $name -}}
{{- $scaling := $component.autoscaling -}}
{{- $minPods := $scaling.enabled | ternary $scaling.minReplicas $component.replicas | int -}}
{{- $budget := $component.podDisruptionBudget -}}
{{- /* Kubernetes rounds percentages up. */ -}}
{{- $isPercentage := hasSuffix "%" (toString $budget.minAvailable) -}}
{{- $keptPods := $isPercentage | ternary (div (add (mul (trimSuffix "%" (toString $budget.minAvailable) | int) $minPods) 99) 100) (int $budget.minAvailable) | int -}}
{{- if and $budget.enabled (ge $keptPods $minPods) -}}
{{- $errors = append $errors (printf "%s runs %d pods and its podDisruptionBudget requires %d available, so nodes can never be drained; increase replicas or set podDisruptionBudget.enabled to false." $path $minPods $keptPods) -}}
{{- end -}}
{{- if and $scaling.enabled (gt (int $scaling.minReplicas) (int $scaling.maxReplicas)) -}}
{{- $errors = append $errors (printf "%s.autoscaling.minReplicas is greater than maxReplicas." $path) -}}
{{- end -}}
{{- if and $scaling.enabled (not (dig "requests" "cpu" "" $component.resources)) -}}
{{- $errors = append $errors (printf "%s.autoscaling targets a percentage of the requested CPU, but resources.requests.cpu is not set." $path) -}}
{{- end -}}
{{- if and (eq (trimSuffix "%" (toString $component.updateStrategy.maxUnavailable)) "0") (eq (trimSuffix "%" (toString $component.updateStrategy.maxSurge)) "0") -}}
{{- $errors = append $errors (printf "%s.updateStrategy sets both maxUnavailable and maxSurge to 0, so a rollout can never proceed." $path) -}}
{{- end -}}
{{- $settings := include "storekeep.settings" (dict "root" $root "component" $component) | fromJson -}}
{{- $known := concat (keys $settings) $component.secretSettings $component.optionalSecretSettings -}}
{{- range $component.extraEnv -}}
{{- if has .name $known -}}
{{- $errors = append $errors (printf "%s.extraEnv sets %s, which the chart manages; use %s.settings or %s.secrets." $path .name $path $path) -}}
{{- end -}}
{{- end -}}
{{- if eq ($settings.GRPC_PORT | default "") ($settings.METRICS_PORT | default "none") -}}
{{- $errors = append $errors (printf "%s uses the same port for GRPC_PORT and METRICS_PORT; they must differ." $path) -}}
{{- end -}}
{{- if eq ($settings.PORT | default "") ($settings.METRICS_PORT | default "none") -}}
{{- $errors = append $errors (printf "%s uses the same port for PORT and METRICS_PORT; they must differ." $path) -}}
{{- end -}}
{{- range $setting, $publicPath := $component.publicPaths -}}
{{- if not (get $settings $setting) -}}
{{- $errors = append $errors (printf "%s.settings.%s is missing; set it, or set pages.publicBaseUrl or publicBaseUrl, to which %s is then appended." $path $setting $publicPath) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $customers := .Values.services.customers -}}
{{- if contains "steam" ($customers.settings.PROFILE_PROVIDERS | default "") -}}
{{- $source := include "storekeep.secretSource" (dict "root" . "name" "customers" "setting" "STEAM_API_KEY") | fromJson -}}
{{- if eq $source.from "missing" -}}
{{- $errors = append $errors "services.customers.settings.PROFILE_PROVIDERS includes steam, which requires services.customers.secrets.STEAM_API_KEY." -}}
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
{{- range $server, $setting := dict "nats" "NATS_URL" "redis" "REDIS_URL" "postgres" "DATABASE_ADMIN_URL" -}}
{{- $entry := get $.Values.secrets $setting | default dict -}}
{{- if and (get $bundled $server).enabled (or $entry.value $entry.existingSecret) -}}
{{- $errors = append $errors (printf "bundled.%s is enabled and secrets.%s refers to another server; remove one of them." $server $setting) -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}
