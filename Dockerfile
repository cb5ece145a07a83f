# syntax=docker/dockerfile:1
#
# docker build -t spillway .
#
# Without configured security Spillway listens on the loopback interface only, and refuses to start on any other. Inside
# a container that is the container's own loopback: to reach it from outside, configure who may call and then open it:
#
#   docker run -p 8080:8080 -v spillway-home:/var/lib/spillway -v /data:/data:ro \
#     -e SERVER_ADDRESS=0.0.0.0 -e SPILLWAY_SOURCES_ROOTS=/data \
#     -e SPILLWAY_SECURITY_MODE=api-key -e SPILLWAY_SECURITY_APIKEYS_0_NAME=me \
#     -e SPILLWAY_SECURITY_APIKEYS_0_HASH=sha256:… spillway
#
# To try it on a Linux machine without that: docker run --network=host …

# Builds the jar and takes it apart, so that what changes rarely is a layer of its own.
FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /build
COPY pom.xml .
COPY src src
COPY openapi openapi
RUN --mount=type=cache,target=/root/.m2 mvn -B -q -DskipTests package \
    && cp target/spillway-*.jar spillway.jar \
    && java -Djarmode=tools -jar spillway.jar extract --layers --destination layers

FROM eclipse-temurin:25-jre
RUN useradd --system --uid 10001 --home-dir /var/lib/spillway --create-home --shell /usr/sbin/nologin spillway \
    && install -d -o spillway -g spillway /opt/spillway
USER spillway
WORKDIR /opt/spillway
COPY --from=build --chown=spillway /build/layers/dependencies/ ./
COPY --from=build --chown=spillway /build/layers/spring-boot-loader/ ./
COPY --from=build --chown=spillway /build/layers/snapshot-dependencies/ ./
COPY --from=build --chown=spillway /build/layers/application/ ./

# What every start needs, the training run below included: a cache fits only the flags and paths it was made with.
ENV SPILLWAY_HOME=/var/lib/spillway \
    JDK_JAVA_OPTIONS="--add-opens=java.base/java.nio=ALL-UNNAMED --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -XX:+UseG1GC"

# Starts the service once, to the point where it would listen, and keeps the loaded and linked classes for all later
# starts (JEP 483, JEP 514). It leaves nothing else behind.
RUN java -XX:AOTCacheOutput=spillway.aot -Dspring.context.exit=onRefresh -jar spillway.jar --spillway.home=training \
    && rm -rf training

# The job store and its keys. Jobs outlive the container if this does.
VOLUME /var/lib/spillway
EXPOSE 8080

# Asks from inside, where no key is needed. The image has no HTTP client but bash has sockets.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/${SERVER_PORT:-8080} && printf 'GET /actuator/health/readiness HTTP/1.0\\r\\nHost: 127.0.0.1\\r\\n\\r\\n' >&3 && read -r -u 3 line && [[ $line == *' 200 '* ]]"]

# By itself data takes at most half of the container's memory, and the heap a quarter.
ENTRYPOINT ["java", "-XX:AOTCache=spillway.aot", "-jar", "spillway.jar"]
