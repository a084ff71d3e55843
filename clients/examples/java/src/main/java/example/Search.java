package example;

import com.anamnesis.common.v1.Caller;
import com.anamnesis.retrieval.v1.SearchRequest;
import com.anamnesis.retrieval.v1.SearchResponse;
import com.anamnesis.retrieval.v1.SearchResult;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.TlsChannelCredentials;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Searches a namespace of a running Anamnesis and prints the hits. */
public final class Search {
  private static final String USAGE = "usage: search [--server HOST:PORT] [--namespace NAME] [--user ID] QUESTION";

  /** A stub of protoc-gen-grpc-java would bring this. */
  private static final MethodDescriptor<SearchRequest, SearchResponse> SEARCH =
      MethodDescriptor.<SearchRequest, SearchResponse>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("anamnesis.retrieval.v1.RetrievalService/Search")
          .setRequestMarshaller(ProtoUtils.marshaller(SearchRequest.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(SearchResponse.getDefaultInstance()))
          .build();

  private Search() {}

  public static void main(String[] arguments) throws Exception {
    Map<String, String> options = new HashMap<>();
    StringBuilder question = new StringBuilder();
    for (int at = 0; at < arguments.length; at++) {
      if (arguments[at].startsWith("--") && at + 1 < arguments.length) {
        options.put(arguments[at].substring(2), arguments[++at]);
      } else {
        question.append(question.isEmpty() ? "" : " ").append(arguments[at]);
      }
    }
    if (question.isEmpty()) {
      System.err.println(USAGE);
      System.exit(2);
    }

    String server = options.getOrDefault("server", "127.0.0.1:50051");
    ManagedChannel channel = Grpc.newChannelBuilder(server, credentials(options.get("tls-ca"))).build();
    try {
      Metadata key = key(options.get("api-key-file"));
      Channel keyed = ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(key));
      SearchRequest request =
          SearchRequest.newBuilder()
              .setNamespace(options.getOrDefault("namespace", "default"))
              .setQuery(question.toString())
              .setLimit(Integer.parseInt(options.getOrDefault("limit", "3")))
              .setCaller(Caller.newBuilder().setUserId(options.getOrDefault("user", "")))
              .build();
      CallOptions bounded = CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS);
      SearchResponse answer = ClientCalls.blockingUnaryCall(keyed, SEARCH, bounded, request);
      for (SearchResult result : answer.getResultsList()) {
        var memory = result.getMemory();
        System.out.printf("%6.2f  %s  %s%n", result.getScore(), memory.getPointer(), memory.getSummary());
      }
    } finally {
      channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
    }
  }

  private static ChannelCredentials credentials(String roots) throws IOException {
    if (roots == null) {
      return InsecureChannelCredentials.create();
    }
    return TlsChannelCredentials.newBuilder().trustManager(new File(roots)).build();
  }

  private static Metadata key(String file) throws IOException {
    Metadata headers = new Metadata();
    if (file != null) {
      headers.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
          "Bearer " + Files.readString(Path.of(file)).strip());
    }
    return headers;
  }
}
