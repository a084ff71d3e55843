// Searches a namespace of a running Anamnesis and prints the hits.
//
//	go run . -namespace demo -user mara "what is Mara allergic to?"
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	common "anamnesis.example/client/anamnesis/common/v1"
	retrieval "anamnesis.example/client/anamnesis/retrieval/v1"
)

func main() {
	log.SetFlags(0)
	server := flag.String("server", "127.0.0.1:50051", "host:port of the retrieval service")
	namespace := flag.String("namespace", "default", "the namespace to search")
	user := flag.String("user", "", "whose memory to search beside what is shared")
	limit := flag.Int("limit", 3, "how many hits")
	roots := flag.String("tls-ca", "", "PEM roots of the server's certificate; turns TLS on")
	keyFile := flag.String("api-key-file", "", "file that holds the API key")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("usage: go run . [flags] QUESTION")
	}

	connection, err := grpc.NewClient(*server, grpc.WithTransportCredentials(transport(*roots)))
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()

	ctx, cancel := context.WithTimeout(withKey(*keyFile), 10*time.Second)
	defer cancel()
	answer, err := retrieval.NewRetrievalServiceClient(connection).Search(ctx, &retrieval.SearchRequest{
		Namespace: *namespace,
		Query:     strings.Join(flag.Args(), " "),
		Limit:     int32(*limit),
		Caller:    &common.Caller{UserId: *user},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, result := range answer.Results {
		fmt.Printf("%6.2f  %s  %s\n", result.Score, result.Memory.Pointer, result.Memory.Summary)
	}
}

func transport(roots string) credentials.TransportCredentials {
	if roots == "" {
		return insecure.NewCredentials()
	}
	tls, err := credentials.NewClientTLSFromFile(roots, "")
	if err != nil {
		log.Fatal(err)
	}
	return tls
}

func withKey(file string) context.Context {
	if file == "" {
		return context.Background()
	}
	key, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	return metadata.AppendToOutgoingContext(
		context.Background(), "authorization", "Bearer "+strings.TrimSpace(string(key)))
}
